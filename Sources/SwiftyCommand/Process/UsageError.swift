// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An error in the arguments, with a hint. Ends the command with status 64.
struct UsageError: Error, Equatable {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

/// Standard output or a file could not be written. Ends the command with status 23, as curl does.
struct OutputError: Error, Equatable, CustomStringConvertible {
    /// The path of the file; `nil` for standard output.
    let path: String?
    let reason: String
    /// Whether the reader of standard output has closed it: then the command ends quietly.
    let isClosedPipe: Bool

    init(path: String?, reason: String) {
        self.path = path
        self.reason = reason
        isClosedPipe = false
    }

    /// - Parameter code: An error number of the system.
    init(path: String?, code: Int32) {
        self.path = path
        reason = String(cString: strerror(code))
        isClosedPipe = path == nil && code == EPIPE
    }

    var description: String {
        "\(path.map { "The file \($0)" } ?? "Standard output") cannot be written: \(reason)."
    }
}

extension OutputError {
    /// Runs all steps, each of which may write, and then throws the first error; later errors are printed.
    static func runAll(_ steps: [() throws -> Void]) throws {
        var first: (any Error)?
        for step in steps {
            do {
                try step()
            } catch {
                if first != nil { Console.note("\(error)") }
                first = first ?? error
            }
        }
        if let first { throw first }
    }
}
