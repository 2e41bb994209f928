// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// What becomes of the response.
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
            "Print one JSON object with everything that is known; see Docs/CLI.md.",
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

    /// The status to end with; `nil` for success.
    func status(of outcome: NetworkResponse) -> ExitStatus? {
        if let error = outcome.error { return ExitStatus(of: error) }
        guard checks.checkStatus, let code = outcome.statusCode else { return nil }
        let status = ExitStatus(ofStatusCode: code)
        return status == .success ? nil : status
    }
}

/// Whether the status of an answer decides about the status of the command.
struct StatusOptions: ParsableArguments {
    @Flag(help: "End with 3, 4 or 5 if the server answers 3xx, 4xx or 5xx.")
    var checkStatus = false
}
