// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A error in the arguments, and how to do it right. Ends the command with status 64.
struct UsageError: Error, Equatable {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

/// Standard output or a file could not be written. Ends the command with status 23, as curl ends.
struct OutputError: Error, Equatable, CustomStringConvertible {
    /// The path of the file; `nil` for standard output.
    let path: String?
    let reason: String
    /// Whether the reader of standard output has gone, which is no mistake: the command ends quietly.
    let isClosedPipe: Bool

    init(path: String?, reason: String) {
        self.path = path
        self.reason = reason
        isClosedPipe = false
    }

    /// - Parameter code: an error number of the system.
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
    /// Takes all of several steps, each of which may write, and then throws the first failure; the others are told.
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
