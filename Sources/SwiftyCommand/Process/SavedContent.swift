// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import WebServiceDSL

/// Writes content to files.
enum SavedContent {
    /// Writes the content of an error response to the file that the user named, or to a new one in the current folder.
    ///
    /// - Returns: The path of the file.
    static func write(_ data: Data, to path: String?, _ outcome: NetworkResponse) throws(OutputError) -> String {
        if let path {
            try replace(path, data)
            return path
        }
        let name = DownloadFileName.name(of: outcome.head, target: outcome.request?.target)
        let unused =
            (0...).lazy.map { $0 == 0 ? name : DownloadFileName.numbered(name, $0) }
            .first { !FileManager.default.fileExists(atPath: $0) } ?? name
        // The file must be new: one created meanwhile must be neither overwritten nor followed.
        try create(unused, data, flags: O_EXCL | O_NOFOLLOW)
        return unused
    }

    /// Writes to the file at a path, replacing its content.
    static func replace(_ path: String, _ data: Data) throws(OutputError) {
        try create(path, data, flags: O_TRUNC)
    }

    /// Replaces a file as a whole; only the user can read the new one.
    static func replaceSecret(_ path: String, _ data: Data) throws(OutputError) {
        let part = "\(path).\(getpid())"
        unlink(part)
        try create(part, data, flags: O_EXCL | O_NOFOLLOW, mode: 0o600)
        if rename(part, path) != 0 { throw OutputError(path: path, code: errno) }
    }

    /// Makes a folder, and the folders above it.
    static func makeFolder(_ path: String, attributes: [FileAttributeKey: Any]? = nil) throws(OutputError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: attributes
            )
        } catch {
            throw OutputError(path: path, reason: error.localizedDescription)
        }
    }

    private static func create(
        _ path: String,
        _ data: Data,
        flags: Int32,
        mode: mode_t = 0o666
    ) throws(OutputError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode)
        if descriptor < 0 { throw OutputError(path: path, code: errno) }
        let failed = Descriptor.write(data, to: descriptor)
        // Some file systems report only here that the disk is full.
        let closed = close(descriptor) == 0 ? nil : errno
        if let code = failed ?? closed { throw OutputError(path: path, code: code) }
    }
}
