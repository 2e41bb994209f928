// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of `call`, apart from the parameters of the request.
struct CallOptions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Make a request of the service by its name, and print the response."
    )

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup var notes: NoteOptions

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("Print one JSON object with all facts about the load.", valueName: "text|json")
    )
    var format: OutputFormat = .text

    @OptionGroup var checks: StatusOptions

    @Flag(help: "Print the request as it would be sent, and send nothing.")
    var dryRun = false

    /// The same choices as options of `send`, which the presenter reads.
    func results() throws -> ResultOptions {
        try ResultOptions.parse(["--output", format.rawValue] + (checks.checkStatus ? ["--check-status"] : []))
    }
}
