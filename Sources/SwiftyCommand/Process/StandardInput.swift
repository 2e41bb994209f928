// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Standard input: its source and its content.
enum StandardInput {
    enum Source {
        /// A terminal or a device like `/dev/null`, or nothing.
        case none
        /// A pipe, or a file from its beginning.
        case content
        /// A file that another program has begun to read, like the list of a loop in a shell.
        case begunFile
        /// A socket, which programs such as Node.js give their children by default and often never close.
        case socket
    }

    static var source: Source {
        switch kind {
        case S_IFIFO: .content
        case S_IFREG: lseek(STDIN_FILENO, 0, SEEK_CUR) > 0 ? .begunFile : .content
        case S_IFSOCK: .socket
        default: .none
        }
    }

    /// Whether there are bytes that have not been read.
    static var hasUnread: Bool {
        switch kind {
        case S_IFREG:
            var information = stat()
            return fstat(STDIN_FILENO, &information) == 0
                && lseek(STDIN_FILENO, 0, SEEK_CUR) < information.st_size
        case S_IFSOCK:
            var byte: UInt8 = 0
            return recv(STDIN_FILENO, &byte, 1, Int32(Int(MSG_PEEK) | Int(MSG_DONTWAIT))) > 0
        case S_IFIFO:
            var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLIN) != 0
        default: return false
        }
    }

    /// Reads standard input to its end.
    ///
    /// - Parameter warn: A closure that is called if nothing arrives within two seconds.
    static func read(onWait warn: (() -> Void)? = nil) throws(UsageError) -> Data {
        if let warn, !Terminal.isInput, !Descriptor.isReadable(STDIN_FILENO, within: 2000) { warn() }
        guard let data = Descriptor.readAll(from: STDIN_FILENO) else {
            throw UsageError("Standard input cannot be read: \(String(cString: strerror(errno))).")
        }
        return data
    }

    private static var kind: mode_t? {
        var information = stat()
        return fstat(STDIN_FILENO, &information) == 0 ? information.st_mode & S_IFMT : nil
    }
}
