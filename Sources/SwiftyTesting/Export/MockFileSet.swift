// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Mock files that are written together.
struct MockFileSet {
    private let folder: String
    private let overwrites: Bool
    private var files: [(name: String, bytes: [UInt8])] = []

    init(folder: String, overwrites: Bool) {
        (self.folder, self.overwrites) = (folder.isEmpty ? "." : folder, overwrites)
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) {
        files.append((name, bytes))
    }

    /// Writes all files.
    ///
    /// - Returns: Their names, sorted.
    /// - Throws: ``SwiftyError/Code/fileExists``, ``SwiftyError/Code/fileUnwritable`` or
    ///   ``SwiftyError/Code/diskFull``. Files that this call has made are removed then.
    @discardableResult
    func write() throws(SwiftyError) -> [String] {
        try check()
        var made: [String] = []
        for (name, bytes) in files {
            do throws(SwiftyError) {
                if try write(name, bytes) { made.append("\(folder)/\(name)") }
            } catch {
                for path in made { FilePlace.remove(path) }
                throw error
            }
        }
        return files.map(\.name).sorted()
    }

    /// Refuses files that exist, and those whose requests other files already answer.
    private func check() throws(SwiftyError) {
        for (index, (name, _)) in files.enumerated() {
            let own = MockFolder.Entry(name)
            for (other, _) in files[..<index] {
                let entry = MockFolder.Entry(other)
                guard entry.key == own.key, entry.method == own.method else { continue }
                throw SwiftyError(
                    .fileExists,
                    stage: .content,
                    reason: "different requests would get the mock files \(other) and \(name), which answer the same "
                        + "requests: name one of them with name(_:)"
                )
            }
            for other in neighbours(of: name) where other.key == own.key && other.method == own.method {
                if other.name == name, overwrites { continue }
                let advice = other.name == name ? "" : ", and answers the requests of \(name)"
                throw SwiftyError(
                    .fileExists,
                    stage: .content,
                    reason: "the file \(folder)/\(other.name) exists\(advice)"
                )
            }
        }
    }

    /// The files in the folder of a file: no others can answer its requests.
    private func neighbours(of name: String) -> [MockFolder.Entry] {
        let subfolder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)")) ?? []
        return names.sorted().map { MockFolder.Entry(subfolder + $0) }
    }

    /// Writes one file.
    ///
    /// - Returns: Whether it is new.
    private func write(_ name: String, _ bytes: [UInt8]) throws(SwiftyError) -> Bool {
        let path = "\(folder)/\(name)"
        let reason: String
        do {
            try FileManager.default.createDirectory(
                atPath: FilePlace.split(path).folder,
                withIntermediateDirectories: true
            )
            let isNew = try FilePlace.occupant(of: path) == .nothing
            // Not secret, and meant to be shared: created with default permissions.
            if overwrites {
                try AtomicFileWriter.replace(path, with: bytes, isPrivate: false)
            } else {
                try AtomicFileWriter.create(path, with: bytes, isPrivate: false)
            }
            return isNew
        } catch let error as FileFailure {
            if error.kind == .noSpace {
                throw SwiftyError(.diskFull, stage: .content, reason: "\(path): \(error.reason)")
            }
            if error.kind == .exists {
                throw SwiftyError(.fileExists, stage: .content, reason: "the file \(path) exists")
            }
            reason = error.reason
        } catch {
            reason = (error as NSError).localizedDescription
        }
        throw SwiftyError(
            .fileUnwritable,
            stage: .content,
            reason: "the mock file \(path) cannot be written: \(reason)"
        )
    }
}
