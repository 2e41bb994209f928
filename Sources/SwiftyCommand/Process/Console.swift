// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes to the standard streams as they are: without buffers, and quiet when the reader has gone.
enum Console {
    /// Writes to standard output. Ends the process like any other of a pipe if nobody reads any more.
    static func write(_ data: Data) {
        write(data, to: STDOUT_FILENO)
    }

    /// Writes to standard output.
    static func write(_ text: String) {
        write(Data(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes to standard error.
    static func writeError(_ text: String) {
        write(Data(text.utf8), to: STDERR_FILENO)
    }

    /// Writes one line for a person, as errors and warnings are, with what can be done in parentheses.
    static func note(_ message: String, hint: String? = nil) {
        let text = hint.map { "\(message) (\($0))" } ?? message
        writeError("swifty: \(text.replacing("\n", with: " "))\n")
    }

    private static func write(_ data: Data, to descriptor: Int32) {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = Foundation.write(descriptor, start, rest.count)
                if count > 0 { rest = rest.dropFirst(count) } else if !canGoOn(descriptor) { return }
            }
        }
    }

    private static func canGoOn(_ descriptor: Int32) -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN:
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&watched, 1, -1) >= 0
        case EPIPE where descriptor == STDOUT_FILENO: endByBrokenPipe()
        default: return false
        }
    }

    /// As the system does it by itself when the signal is not ignored.
    private static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(141)
    }
}
