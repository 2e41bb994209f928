// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// Parses the arguments, runs the subcommand, and ends with its status; every error is one line.
@main
enum Main {
    static func main() async {
        // The library and the streams report a broken pipe as an error; `Console` deals with it.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = OptionalValue.complete(Array(CommandLine.arguments.dropFirst()))
            var command = try SwiftyCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(end(error))
        }
    }

    /// Says what is wrong, and returns the status to end with.
    private static func end(_ error: any Error) -> Int32 {
        if let error = error as? UsageError {
            Console.note(error.message, hint: error.hint)
            return ExitStatus.usage.rawValue
        }
        if let error = error as? SwiftyError {
            Console.note(error.descriptionWithoutHint, hint: Hint.text(for: error))
            return ExitStatus(of: error).rawValue
        }
        let code = SwiftyCommand.exitCode(for: error).rawValue
        if code == 0 {
            Console.write(SwiftyCommand.fullMessage(for: error) + "\n")
        } else if !(error is ExitCode) {
            let isUsage = code == ExitStatus.usage.rawValue
            Console.note(SwiftyCommand.message(for: error), hint: isUsage ? "See: swifty --help" : nil)
        }
        return code
    }
}
