// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// `swifty import 'curl …'`: a curl command as Swift.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a curl command into a Swift function, and print it.",
        discussion: """
            Give the whole command as one quoted argument, or "-" to read it from standard input, as copied from a \
            browser. Options without a counterpart in Swift are named on standard error; one that cannot be omitted is \
            an error.

            EXAMPLES:
              swifty import 'curl -H "X-Id: 1" https://example.com/users?page=2'
              pbpaste | swifty import -
            """
    )

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The curl command.", valueName: "command"))
    var command: [String] = []

    func run() throws {
        if command == ["--help"] || command == ["-h"] { throw CleanExit.helpRequest(Self.self) }
        let (words, expansions) = try words()
        let function = try SwiftFunction(words)
        let arguments = function.arguments
        try Console.write(function.text)
        if !expansions.isEmpty {
            let hint = "The Swift text has them as typed; put values in their place."
            Console.note("not expanded, as the shell would: \(expansions.joined(separator: ", "))", hint: hint)
        }
        if !arguments.dropped.isEmpty {
            Console.note("not carried over: \(arguments.dropped.joined(separator: ", "))")
        }
    }

    /// The words of the command: one argument is a whole command line, several are its words.
    private func words() throws(UsageError) -> (words: [String], expansions: [String]) {
        guard let first = command.first else {
            throw UsageError("There is no command.", hint: "swifty import 'curl …'")
        }
        if command.count > 1 { return (command, []) }
        let line = first == "-" ? String(decoding: try StandardInput.read(), as: UTF8.self) : first
        let words = try Self.words(of: line)
        return (words.words, words.expansions)
    }

    /// The words of a command line.
    static func words(of line: String) throws(UsageError) -> ShellWords {
        try UsageError.wrapping { () throws(CURLError) in try ShellWords(line) }
    }
}
