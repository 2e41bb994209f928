// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The options for the result of a request.
struct ResultOptions: ParsableArguments {
    @Option(
        name: .customShort("o"),
        help: ArgumentHelp("Write the content to a file.", valueName: "FILE"),
        completion: .file()
    )
    var file: String?

    @Flag(name: .shortAndLong, help: "Save the content under the name that the server or the URL suggests.")
    var download = false

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Print one JSON object with all facts about the load; see Docs/CLI.md.",
            valueName: "text|json"
        )
    )
    var format: OutputFormat = .text

    @OptionGroup var checks: StatusOptions

    @Flag(help: "Print the equivalent curl command, and send nothing.")
    var curl = false

    @Flag(help: "Print the request as it would be sent, and send nothing.")
    var dryRun = false
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

extension ResultOptions {
    var savesContent: Bool { download || file != nil }

    /// The exit status; `nil` for success.
    func status(of outcome: NetworkResponse) -> ExitStatus? {
        if let error = outcome.error { return ExitStatus(of: error) }
        guard checks.checkStatus, let code = outcome.statusCode else { return nil }
        let status = ExitStatus(ofStatusCode: code)
        return status == .success ? nil : status
    }
}

/// Whether the status of a response decides the exit status.
struct StatusOptions: ParsableArguments {
    @Flag(help: "End with 3, 4 or 5 if the response is 3xx, 4xx or 5xx.")
    var checkStatus = false
}
