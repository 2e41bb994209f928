// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

extension RequestDraft {
    /// A response or an error in place of the network's.
    public struct Mock: Sendable {
        enum Source: Sendable {
            case file(MockFile)
            case data(Data)
            case error(SwiftyError)
        }

        let source: Source
        let status: Int
        let headers: HTTPFields

        /// Makes the mocked response. A mock file is read by each call.
        ///
        /// - Parameter directory: The network interface's folder of mock files, which is searched first.
        /// - Throws: The mocked error, or ``SwiftyError/Code/mockUnavailable`` with the paths that were tried.
        public func response(directory: String?) async throws(SwiftyError) -> (head: ResponseHead, data: Data) {
            switch source {
            case .error(let error): throw error
            case .data(let data): return (head(contentType: nil), data)
            case .file(let file):
                let data = try await file.read(directory: directory)
                return (head(contentType: MediaType.forFile(named: file.name)), data)
            }
        }

        private func head(contentType: String?) -> ResponseHead {
            var headers = self.headers
            if let contentType, !headers.contains(.contentType) { headers[.contentType] = contentType }
            return ResponseHead(statusCode: status, headers: headers)
        }
    }
}

/// A file with the content of a mocked response, and the places in which it is searched for.
struct MockFile: Sendable {
    /// The environment variable that names a folder of mock files.
    static let environmentVariable = "SWIFTY_MOCKS"

    let name: String
    /// The source file that sets the mock; the `Mocks` folder of its package is one of the places.
    let callerFile: String
    /// The resource folder of the given bundle; `nil` without one.
    let resourcePath: String?

    /// Reads the first of the ``candidates(directory:environment:)`` that exists.
    func read(directory: String?) async throws(SwiftyError) -> Data {
        let candidates = self.candidates(directory: directory)
        for path in candidates {
            guard let data = try await readIfPresent(path) else { continue }
            if data.isEmpty { throw unavailable("the mock file \(path) is empty") }
            return data
        }
        throw unavailable("there is no mock file \"\(name)\"; tried \(candidates.joined(separator: ", "))")
    }

    /// Reads a file; `nil` if it does not exist. One that exists and cannot be read ends the search.
    private func readIfPresent(_ path: String) async throws(SwiftyError) -> Data? {
        do throws(UnreadableFile) {
            return try await FileContent.readOffPool(path)
        } catch {
            if error.isMissing { return nil }
            throw unavailable("the mock file \(path) cannot be read: \(error.reason)", error.posixError)
        }
    }

    private func unavailable(_ reason: String, _ underlying: (any Error)? = nil) -> SwiftyError {
        SwiftyError(.mockUnavailable, stage: .building, reason: reason, underlying: underlying)
    }

    /// The paths to try, in this order: the interface's directory, the environment's, the `Mocks` folder of the package
    /// of the calling source file, the resources of the given bundle, their `Mocks` folder, those of the main bundle.
    func candidates(
        directory: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        if name.hasPrefix("/") { return [name] }
        let folders = [
            directory,
            environment[Self.environmentVariable],
            Self.packageFolder(of: callerFile).map { $0 + "/Mocks" },
            resourcePath,
            resourcePath.map { $0 + "/Mocks" },
            Bundle.main.resourcePath,
        ]
        var paths: [String] = []
        for folder in folders.compactMap(\.self) where !paths.contains("\(folder)/\(name)") {
            paths.append("\(folder)/\(name)")
        }
        return paths
    }

    /// The nearest folder above the file with a `Package.swift`.
    private static func packageFolder(of file: String) -> String? {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.path != "/", !folder.path.isEmpty {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                return folder.path
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
