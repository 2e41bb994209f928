// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The destination of a response's content.
enum ContentTarget: Equatable {
    /// Standard output, when the content is complete.
    case shown
    /// Standard output, as the content arrives.
    case streamed
    /// Standard output, a device or a pipe, to which the bytes are written as they arrive.
    case direct(String)
    /// A file, or a folder in which the response names the file.
    case file(String)
}

extension ResultOptions {
    /// The destination of the content.
    ///
    /// - Throws: ``UsageError`` for `--continue` with something that is not a file.
    var target: ContentTarget {
        get throws(UsageError) {
            if download { return .file(".") }
            guard let file else { return stream ? .streamed : .shown }
            guard Self.isDirect(file) else { return .file(file) }
            if continues { throw UsageError("--continue needs a file, and \(file) is not one.") }
            return .direct(file)
        }
    }

    /// Whether a path leads to something that is written to directly instead of being replaced.
    private static func isDirect(_ path: String) -> Bool {
        if OutputWriter.descriptor(of: path) != nil { return true }
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    }
}
