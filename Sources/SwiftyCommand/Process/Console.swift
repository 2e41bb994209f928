// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The standard streams, without buffers.
enum Console {
    /// The name of the program, with which its notes begin.
    private static let program = Mutex("swifty")

    /// Prepares the process of a command: its signals, its streams, and the name in its notes.
    static func prepareProcess(name: String = "swifty") {
        program.withLock { $0 = name }
        // The library and the streams report a broken pipe as an error, and a file that grows too large (`ulimit -f`).
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        keepStreamsApart()
    }

    /// Opens those of the three streams that are closed, so that no socket or file gets their descriptors.
    ///
    /// They are opened for the opposite direction, so that writing to a closed standard output still fails.
    private static func keepStreamsApart() {
        for (stream, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", flags)
        }
    }

    /// Writes to standard output.
    static func write(_ data: Data) throws(OutputError) {
        if let code = Descriptor.write(data, to: STDOUT_FILENO) { throw OutputError(path: nil, code: code) }
    }

    static func write(_ text: String) throws(OutputError) {
        try write(Data(text.utf8))
    }

    /// Writes to standard error. A failure is ignored, since there is nowhere to report it.
    static func writeError(_ text: String) {
        _ = Descriptor.write(Data(text.utf8), to: STDERR_FILENO)
    }

    /// Writes an error or a warning to standard error: one line with the hint in parentheses, and on a terminal lines
    /// of its width.
    static func note(_ message: String, hint: String? = nil) {
        let text = NoteText(message, hint: hint, program: program.withLock { $0 })
        writeError((Terminal.isError ? text.lines(columns: Terminal.columns) : text.line) + "\n")
    }

    /// Ends the process as a closed pipe ends any other program: quietly, by the signal.
    static func endProcessByClosedPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}

/// The terminal, if the standard streams are connected to one.
enum Terminal {
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    static var isError: Bool { isatty(STDERR_FILENO) == 1 }
    static var isInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// The columns of the terminal on standard error, 80 if they are unknown.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
