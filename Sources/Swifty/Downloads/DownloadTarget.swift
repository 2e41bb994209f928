// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The destination of a downloaded file: a path that the caller has named, or a folder in which the response names the
/// file.
struct DownloadTarget: Sendable, Equatable {
    let folder: String
    /// The name of the file in the folder; `nil` if the response names it.
    let name: String?

    /// Examines the path, and checks that a file can be created there. It blocks its thread.
    init(_ path: String) throws(FileFailure) {
        if path.isEmpty { throw FileFailure("its path is empty") }
        if path.utf8.contains(0) { throw FileFailure("its path contains a zero byte") }
        let occupant = try FilePlace.occupant(of: path)
        switch occupant {
        case .folder: (folder, name) = (path, nil)
        case .other: throw FileFailure("it is not a regular file")
        case .nothing, .regularFile, .link:
            let parts = FilePlace.split(path)
            if parts.name.isEmpty { throw FileFailure("its folder does not exist") }
            (folder, name) = (parts.folder, parts.name)
        }
        try FilePlace.checkFolder(folder)
    }

    /// The path of a name in the folder.
    func path(of name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The path of the part that has arrived.
    ///
    /// - Parameter key: The key of the URL in records, for a file that has no name yet.
    func partPath(key: String) -> String {
        let stem = name ?? String(key.prefix(32))
        // The names of the files next to it are longer, and file systems allow 255 bytes.
        let short = stem.utf8.count <= 200 ? stem : String(SHA256.hash(Array(stem.utf8)).hexadecimal.prefix(32))
        return path(of: ".\(short).swiftypart")
    }

    /// Fails if the name is taken by something that must not or cannot be replaced. It blocks its thread.
    func check(_ name: String, _ existing: DownloadPolicy.ExistingFile) throws(FileFailure) {
        switch try FilePlace.occupant(of: path(of: name)) {
        case .nothing: break
        case .regularFile, .link: if existing == .fail { throw FileFailure(errorNumber: FileFailure.exists) }
        case .folder, .other: if existing != .keepBoth { throw FileFailure("it is not a regular file") }
        }
    }
}
