// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A file with mocked responses, and the paths at which it is searched for.
package struct MockFile: Sendable {
    /// The environment variable that names a folder of mock files.
    static let environmentVariable = "SWIFTY_MOCKS"

    package let name: String
    /// The source file that sets the mock; the `Mocks` folder of its package is one of the folders that are searched.
    let callerFile: String
    /// The resource folder of the given bundle; `nil` without one.
    let resourcePath: String?

    package init(name: String, callerFile: String, resourcePath: String? = nil) {
        self.name = name
        self.callerFile = callerFile
        self.resourcePath = resourcePath
    }

    /// Reads the first of the ``candidates(directory:environment:)`` that exists.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` with the line of the fault, or with the paths that were tried.
    package func responses(
        directory: String?,
        variables: MockVariables
    ) async throws(SwiftyError) -> [MockResponse] {
        if name.split(separator: "/").contains("..") {
            throw .mockUnavailable(
                "the name of the mock file \"\(name)\" contains \"..\"; write the path without it"
            )
        }
        let candidates = self.candidates(directory: directory)
        for path in candidates {
            guard let bytes = try await Self.readIfPresent(path) else { continue }
            return try Self.responses(in: bytes, of: path, variables)
        }
        throw .mockUnavailable("there is no mock file \"\(name)\"; tried \(candidates.joined(separator: ", "))")
    }

    /// Reads a file whose path is known.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable``.
    package static func responses(
        at path: String,
        variables: MockVariables
    ) async throws(SwiftyError) -> [MockResponse] {
        guard let bytes = try await readIfPresent(path) else {
            throw .mockUnavailable("there is no mock file \(path)")
        }
        return try responses(in: bytes, of: path, variables)
    }

    /// The largest file that is read, in bytes.
    private static let maximumSize = 1 << 30

    /// Reads a file; `nil` if it does not exist. One that exists and cannot be read ends the search.
    private static func readIfPresent(_ path: String) async throws(SwiftyError) -> Data? {
        do throws(FileFailure) {
            // Another kind of file may have no end.
            return try await FileReader.make(path).run { path throws(FileFailure) in
                try FileContent.read(path, as: .regular(maximum: maximumSize))
            }
        } catch {
            if error.isMissing { return nil }
            throw .mockUnavailable("the mock file \(path) cannot be read: \(error.reason)", error.systemError)
        }
    }

    private static func responses(
        in bytes: Data,
        of path: String,
        _ variables: MockVariables
    ) throws(SwiftyError) -> [MockResponse] {
        if bytes.isEmpty { throw .mockUnavailable("the mock file \(path) is empty") }
        do throws(MockSyntaxError) {
            return try MockFormat(ofFileNamed: path).responses(in: bytes, of: path, variables)
        } catch {
            throw .mockUnavailable("\(path):\(error.line): \(error.reason)")
        }
    }

    /// The paths to try, in this order: the interface's directory, the environment's, the `Mocks` folder of the package
    /// of the calling source file, the resources of the given bundle, their `Mocks` folder, those of the main bundle.
    package func candidates(
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
        return folders.compactMap(\.self).reduce(into: []) { paths, folder in
            let path = "\(folder)/\(name)"
            if !paths.contains(path) { paths.append(path) }
        }
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

extension SwiftyError {
    /// The error of a mock that cannot answer: the request is not sent.
    package static func mockUnavailable(_ reason: String, _ underlying: (any Error)? = nil) -> SwiftyError {
        SwiftyError(.mockUnavailable, stage: .building, reason: reason, underlying: underlying)
    }
}
