// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The options for the result of a request.
struct ResultOptions: ParsableArguments {
    @Option(
        name: .customShort("o"),
        help: ArgumentHelp(
            "Write the content of a success to a file when it is complete; - is standard output.",
            valueName: "FILE"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(name: .shortAndLong, help: "Save the content under the name that the server or the URL suggests.")
    var download = false

    @Flag(
        name: [.customShort("C"), .customLong("continue")],
        help: "With -o or -d: continue a download that was interrupted, instead of beginning anew."
    )
    var continues = false

    @Flag(help: "With -o or -d: save the content of error responses, too.")
    var saveErrors = false

    @Flag(help: "Print the content as it arrives, for events, lines and large content.")
    var stream = false

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Print one JSON object with all facts about the load; see Docs/CLI-Output.md.",
            valueName: "text|json"
        )
    )
    var format: OutputFormat = .text

    @OptionGroup var checks: StatusOptions

    @Flag(help: "Print the equivalent curl command, and send nothing.")
    var curl = false

    @Flag(help: "Print the request as it would be sent, and send nothing.")
    var dryRun = false

    func validate() throws {
        if download, file != nil { throw ValidationError("Use only one of -o and --download.") }
        if continues, !download, file == nil { throw ValidationError("--continue needs -o FILE or --download.") }
        if saveErrors, !download, file == nil { throw ValidationError("--save-errors needs -o FILE or --download.") }
        if stream, format == .json { throw ValidationError("Use only one of --stream and --output json.") }
    }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

extension ResultOptions {
    var savesContent: Bool { download || file != nil }

    /// Whether the content is saved only if the status is a success.
    var savesOnlySuccess: Bool { savesContent && !printsContent && !saveErrors }

    /// Whether the file of the content is standard output.
    var printsContent: Bool { file.map(OutputWriter.isStandardOutput) ?? false }

    /// The exit status; `nil` for success.
    ///
    /// If the file was not written because of the response's status, that is not a success.
    func status(of outcome: NetworkResponse) -> ExitStatus? {
        if let error = outcome.error { return ExitStatus(of: error) }
        guard checks.checkStatus || savesOnlySuccess, let code = outcome.statusCode else { return nil }
        let status = ExitStatus(ofStatusCode: code)
        return status == .success ? nil : status
    }
}

/// Whether the status of a response decides the exit status.
struct StatusOptions: ParsableArguments {
    @Flag(help: "End with 3, 4 or 5 if the response is 3xx, 4xx or 5xx.")
    var checkStatus = false
}
