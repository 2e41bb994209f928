// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Writes content to files.
enum SavedContent {
    /// Writes to the file that the user named, or to a new one in the current folder.
    ///
    /// - Returns: the path of the file.
    static func write(_ data: Data, to path: String?, _ outcome: NetworkResponse) throws(OutputFailure) -> String {
        if let path, path != "-" {
            try replace(path, data)
            return path
        }
        if path == "-" {
            try Console.write(data)
            return "standard output"
        }
        let name = DownloadName.suggested(by: outcome.head, target: outcome.request?.target)
        let unused = DownloadName.unused(name) { FileManager.default.fileExists(atPath: $0) }
        // The file must be new: what has come there since must neither be overwritten nor followed.
        try create(unused, data, flags: O_EXCL | O_NOFOLLOW)
        return unused
    }

    /// Writes to the file of a path, over what is there.
    static func replace(_ path: String, _ data: Data) throws(OutputFailure) {
        try create(path, data, flags: O_TRUNC)
    }

    private static func create(_ path: String, _ data: Data, flags: Int32) throws(OutputFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
        if descriptor < 0 { throw OutputFailure(path: path, code: errno) }
        let failed = Descriptor.write(data, to: descriptor)
        // Some file systems say only here that the disk is full.
        let closed = close(descriptor) == 0 ? nil : errno
        if let code = failed ?? closed { throw OutputFailure(path: path, code: code) }
    }
}
