// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads and writes descriptors completely: repeats partial and interrupted system calls.
enum Descriptor {
    /// Writes all bytes.
    ///
    /// - Returns: The error number of the system; `nil` if everything is written.
    static func write(_ data: Data, to descriptor: Int32) -> Int32? {
        data.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = Foundation.write(descriptor, start, rest.count)
                if count == 0 { return EIO }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if !isTransient(errno, descriptor: descriptor, event: POLLOUT) {
                    return errno
                }
            }
            return nil
        }
    }

    /// A part of the content; empty at its end.
    enum Part: Sendable {
        case bytes(Data)
        /// The error number of the system.
        case failed(Int32)
    }

    /// Reads the available bytes, up to a number; waits if there are none.
    ///
    /// - Parameter offset: The offset in a file; `nil` continues at the current one.
    static func read(from descriptor: Int32, atMost limit: Int, at offset: Int? = nil) -> Part {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count =
                if let offset {
                    pread(descriptor, &buffer, limit, off_t(offset))
                } else {
                    Foundation.read(descriptor, &buffer, limit)
                }
            if count >= 0 { return .bytes(Data(buffer[..<count])) }
            if !isTransient(errno, descriptor: descriptor, event: POLLIN) { return .failed(errno) }
        }
    }

    /// Whether the descriptor has bytes to read, or is at its end, within a time limit.
    ///
    /// - Parameter milliseconds: The time limit; -1 for none.
    static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) > 0
    }

    /// Whether to repeat a call after an error; waits until a non-blocking descriptor is ready.
    private static func isTransient(_ code: Int32, descriptor: Int32, event: Int32) -> Bool {
        if code == EINTR { return true }
        guard code == EAGAIN else { return false }
        var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&watched, 1, -1) >= 0 || errno == EINTR
    }
}
