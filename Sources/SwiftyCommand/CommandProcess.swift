// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// Parses the arguments, runs the subcommand and ends with its status.
package enum CommandProcess {
    /// Runs the command with the arguments of the process.
    ///
    /// On the caller's executor: a hop would open descriptors, which a closed standard stream would get.
    package nonisolated(nonsending) static func main() async {
        Console.prepareProcess()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.isEmpty {
            Console.writeError(SwiftyCommand.firstPage)
            exit(ExitStatus.usage.rawValue)
        }
        do {
            try await run(arguments)
        } catch {
            exit(report(error, arguments))
        }
    }

    private static func run(_ arguments: [String]) async throws {
        try checkHelp(arguments)
        if arguments == [Manual.option] { return try Console.write(try Manual.text()) }
        let completed = try DefaultOptions.complete(arguments, folder: ConfigurationFolder.path())
        let translated = try ArgumentTranslation.translate(completed)
        var command = try SwiftyCommand.parseAsRoot(OptionalValue.complete(translated))
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Rejects a request for the help of a subcommand that does not exist. The parser would print the general help.
    private static func checkHelp(_ arguments: [String]) throws(UsageError) {
        guard arguments.count > 1, arguments[0] == "help", !arguments[1].hasPrefix("-") else { return }
        if SwiftyCommand.subcommandNames.contains(arguments[1]) { return }
        let hint = Misspelling.subcommand(for: arguments[1]).map { "Did you mean swifty help \($0)?" }
        throw UsageError(
            "There is no subcommand \"\(arguments[1])\".",
            hint: hint ?? "swifty help lists the subcommands."
        )
    }

    /// Writes the error to standard error, and returns the status to end with.
    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        if let status = ErrorReport.write(error, hint: arguments.first.flatMap(Misspelling.hint)) {
            return status.rawValue
        }
        return report(parsing: error, arguments)
    }

    /// Writes what the parser throws: errors, but also help, versions, completions and statuses.
    private static func report(parsing error: any Error, _ arguments: [String]) -> Int32 {
        let code = SwiftyCommand.exitCode(for: error).rawValue
        if code == 0 {
            let text = CompletionScript.text(for: arguments) ?? SwiftyCommand.fullMessage(for: error)
            do throws(OutputError) {
                try Console.write(text + "\n")
            } catch {
                return report(error, arguments)
            }
        } else if !(error is ExitCode) {
            let isUsage = code == ExitStatus.usage.rawValue
            let message = SwiftyCommand.message(for: error)
            let hint = arguments.first.flatMap(Misspelling.hint) ?? valueHint(for: message)
            Console.note(message, hint: isUsage ? hint ?? "See: \(help(for: arguments))" : nil)
        }
        return code
    }

    /// The form of the value that the parser's message calls invalid; `nil` if the message says it.
    private static func valueHint(for message: String) -> String? {
        let isTime = message.contains("is invalid for") && message.contains("<SECONDS>")
        return isTime ? "A number of seconds, or 500ms, 30s, 5m." : nil
    }

    /// The command that prints the help for the subcommand.
    private static func help(for arguments: [String]) -> String {
        let name = arguments.first.flatMap { SwiftyCommand.subcommandNames.contains($0) ? $0 : nil }
        return "swifty \(name ?? "send") --help"
    }
}
