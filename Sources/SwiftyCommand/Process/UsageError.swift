// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// An error in the arguments, with a hint. Ends the command with status 64.
struct UsageError: Error, Equatable {
    /// The place of a mistake in an argument.
    struct Place: Equatable {
        let text: String
        /// The characters; one after the end if something is missing there.
        let range: Range<Int>
    }

    let message: String
    let hint: String?
    /// The place of the mistake, if it is a part of an argument.
    let place: Place?

    init(_ message: String, hint: String? = nil, place: Place? = nil) {
        self.message = message
        self.hint = hint
        self.place = place
    }
}

extension UsageError {
    /// The error of an argument that is a URL where another one was given, shown without its secrets.
    init(secondURL text: String, hint: String) {
        self.init("\"\(Redaction.redact(reference: text))\" is a second URL.", hint: hint)
    }

    /// The error of a curl command.
    init(_ error: CURLError) {
        self.init(error.message, hint: error.hint)
    }

    /// Runs what parses a curl command, and throws its error as one of the arguments.
    static func wrapping<Result>(_ parse: () throws(CURLError) -> Result) throws(UsageError) -> Result {
        do throws(CURLError) {
            return try parse()
        } catch {
            throw UsageError(error)
        }
    }

    /// The error of a file that an argument names and that cannot be read, with the system's reason.
    static func unreadable(_ path: String) -> UsageError {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let code = isFolder.boolValue ? EISDIR : access(path, R_OK) == 0 ? 0 : errno
        let reason = code == 0 ? "" : ": \(FileFailure(reading: code).reason)"
        return UsageError("The file \(path) cannot be read\(reason).", hint: "Is the path right?")
    }
}

extension UsageError.Place {
    /// The text, with marks below the place.
    var lines: String {
        let before = VisibleText.line(String(text.prefix(range.lowerBound)))
        let marked = VisibleText.line(String(text.dropFirst(range.lowerBound).prefix(range.count)))
        let marks = String(repeating: "^", count: max(1, marked.count))
        return "  \(VisibleText.line(text))\n  \(String(repeating: " ", count: before.count))\(marks)\n"
    }
}

/// Standard output or a file could not be written. Ends the command with status 23, as curl does.
struct OutputError: Error, Equatable, CustomStringConvertible {
    /// The path of the file; `nil` for standard output.
    let path: String?
    let reason: String
    /// Whether the reader of standard output has closed it: then the command ends quietly.
    var isClosedPipe = false

    var description: String {
        "\(path.map { "The file \($0)" } ?? "Standard output") cannot be written: \(reason)."
    }
}

extension OutputError {
    /// - Parameter code: An error number of the system.
    init(path: String?, code: Int32) {
        let reason = String(cString: strerror(code))
        self.init(path: path, reason: reason, isClosedPipe: path == nil && code == EPIPE)
    }

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
