// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// `swifty batch FILE`: many requests, one a line.
struct Batch: AsyncParsableCommand, LoadingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send many requests from JSON Lines, and print the outcomes as JSON Lines.",
        discussion: """
            A line is an object: {"method": "GET", "url": "https://…", "headers": {"Name": "value"}, "body": …}. Only \
            "url" is required. "body" is text, or JSON that is sent as such.

            The printed objects are those of "send --output json", each with "line", the number of its line, in the \
            order in which the loads end. All options of "send" about requests apply to every line, also \
            --allow-content, which sends the "body" of a GET. The status is 1 if \
            a line could not be read or its load failed; with --check-status, 3, 4 or 5 if any response is 3xx, 4xx \
            or 5xx.

            EXAMPLES:
              swifty batch requests.jsonl -c 8 > results.jsonl
              swifty batch requests.jsonl --record session.har
              printf '{"url":":3000/get?n=%d"}\\n' 1 2 3 | swifty batch
            """
    )

    @Argument(
        help: ArgumentHelp("The file; standard input unless given, or \"-\".", valueName: "FILE"),
        completion: .file()
    )
    var file = "-"

    @Option(name: .customShort("c"), help: ArgumentHelp("The number of loads in flight.", valueName: "C"))
    var concurrency = 8

    @OptionGroup var checks: StatusOptions
    @OptionGroup var cassette: CassetteOption
    // Hidden, since all but `--allow-content` are rejected.
    @OptionGroup(visibility: .hidden) var content: ContentOptions
    @OptionGroup(title: "Credentials, cookies and redirects") var identity: IdentityOptions
    @OptionGroup(title: "Time limits, retries and rates") var limits: LimitOptions
    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Route") var route: RouteOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup var notes: NoteOptions
    @OptionGroup var configuration: ConfigOption

    func validate() throws {
        if !(1...10_000).contains(concurrency) { throw ValidationError("-c takes a number from 1 to 10000.") }
    }

    func run() async throws {
        try rejectContent()
        if file == "-", Terminal.isInput {
            throw UsageError("There are no requests.", hint: "Name a file, or pipe lines in.")
        }
        guard let lines = LineReader(path: file) else { throw UsageError.unreadable(file) }
        let session = try Session(request.identity)
        let run = BatchRun(lines, options: request, session: session)
        Interruption.shared.onInterrupt { run.stop() }
        var failure: (any Error)?
        do {
            try await cassette.run {
                await withDiscardingTaskGroup { group in
                    for _ in 0..<concurrency { group.addTask { await run.run() } }
                }
                // An incomplete recording must not replace a complete one.
                if let file = cassette.record, Interruption.shared.wasInterrupted {
                    Console.note("\(file) is not written.")
                    throw ExitCode(ExitStatus.interrupted.rawValue)
                }
            }
        } catch {
            failure = error
        }
        let unread = await lines.failure()
        try OutputError.runAll([
            { if let error = run.end { throw error } },
            { if let failure { throw failure } },
            { try session.end() },
        ])
        if !Terminal.isOutput, let summary = run.statuses.summary(includingRedirects: checks.checkStatus) {
            request.notes.warn(summary)
        }
        if Interruption.shared.wasInterrupted { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if let unread { throw UsageError("The file \(file) cannot be read: \(unread).") }
        if run.hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
        if checks.checkStatus, run.statuses.worst != .success { throw ExitCode(run.statuses.worst.rawValue) }
    }

    /// Rejects options and files for the content, which would have no effect: the lines define the requests.
    private func rejectContent() throws(UsageError) {
        if request.content.definesContent {
            throw UsageError("\"batch\" takes content only from its lines.", hint: "Give each line its \"body\".")
        }
        if let file = try request.configFile(), file.method != nil || !file.headers.isEmpty || file.content != nil {
            throw UsageError("\"batch\" takes only \"config\" from the file of --config.")
        }
    }
}
