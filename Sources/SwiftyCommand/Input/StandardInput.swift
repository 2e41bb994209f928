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

    /// Content that has been read as far as necessary.
    struct Content {
        /// The whole content, or its beginning if there is a source.
        var bytes: Data
        /// The source of the whole content, if it is not in memory; `nil` if it is.
        var source: InputSource?
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

    private static var kind: mode_t? {
        var information = stat()
        return fstat(STDIN_FILENO, &information) == 0 ? information.st_mode & S_IFMT : nil
    }
}

extension StandardInput {
    /// The largest content that is held in memory, and the largest beginning of larger content.
    static let heldByteCount = 1 << 20
    /// The time after the first bytes, after which a pipe is sent while it is read.
    private static let patience = Duration.seconds(2)

    /// Reads standard input to its end.
    ///
    /// - Parameter warn: A closure that is called if nothing arrives within two seconds.
    static func read(onWait warn: (() -> Void)? = nil) throws(UsageError) -> Data {
        warnIfSilent(warn)
        var bytes = Data()
        while true {
            let part = try part(atMost: 64 << 10)
            if part.isEmpty { return bytes }
            bytes += part
        }
    }

    /// Reads standard input until it is known whether it is small: larger or longer-lasting input is sent while it is
    /// read.
    ///
    /// - Parameter warn: A closure that is called if nothing arrives within two seconds.
    static func begin(onWait warn: (() -> Void)? = nil) throws(UsageError) -> Content {
        if let file = try largeFile() { return file }
        warnIfSilent(warn)
        var bytes = Data()
        var deadline: ContinuousClock.Instant?
        while bytes.count < heldByteCount {
            guard waitForBytes(until: deadline) else { break }
            let part = try part(atMost: min(64 << 10, heldByteCount - bytes.count))
            if part.isEmpty { return Content(bytes: bytes) }
            // A person pauses between typed lines.
            if deadline == nil, !Terminal.isInput { deadline = .now + patience }
            bytes += part
        }
        return Content(bytes: bytes, source: InputSource(pipe: bytes))
    }

    /// A file that is too large to be held in memory; `nil` for anything else.
    private static func largeFile() throws(UsageError) -> Content? {
        var information = stat()
        guard kind == S_IFREG, fstat(STDIN_FILENO, &information) == 0 else { return nil }
        let start = Int(lseek(STDIN_FILENO, 0, SEEK_CUR))
        let length = Int(information.st_size) - start
        guard start >= 0, length > heldByteCount else { return nil }
        let beginning = try part(atMost: heldByteCount, at: start)
        return Content(bytes: beginning, source: InputSource(fileFrom: start, length: length))
    }

    /// Waits for bytes or the end. Returns whether they came before the deadline.
    private static func waitForBytes(until deadline: ContinuousClock.Instant?) -> Bool {
        guard let deadline else { return true }
        let rest = max(0, Int((deadline - .now) / .milliseconds(1)))
        return Descriptor.isReadable(STDIN_FILENO, within: Int32(clamping: rest))
    }

    private static func part(atMost limit: Int, at offset: Int? = nil) throws(UsageError) -> Data {
        switch Descriptor.read(from: STDIN_FILENO, atMost: limit, at: offset) {
        case .bytes(let bytes): return bytes
        case .failed(let code):
            throw UsageError("Standard input cannot be read: \(String(cString: strerror(code))).")
        }
    }

    private static func warnIfSilent(_ warn: (() -> Void)?) {
        if let warn, !Terminal.isInput, !Descriptor.isReadable(STDIN_FILENO, within: 2000) { warn() }
    }
}
