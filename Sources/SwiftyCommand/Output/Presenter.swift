// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// Prints a request and its outcome, as the options say.
struct Presenter {
    let plan: RequestPlan
    let output: OutputOptions
    let results: ResultOptions
    let notes: NoteOptions
    /// Draws the progress of the transfer; `nil` unless content is saved and standard error is a terminal.
    let progress: ProgressObserver?

    private let parts: PrintedParts
    private let text: MessageText

    init(plan: RequestPlan, output: OutputOptions, results: ResultOptions, notes: NoteOptions) {
        self.plan = plan
        self.output = output
        self.results = results
        self.notes = notes
        progress = results.savesContent && notes.showsProgress ? ProgressObserver() : nil
        let isTerminal = Terminal.isOutput
        parts = output.parts(isTerminal: isTerminal, method: plan.method)
        text = MessageText(
            style: output.style(isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment),
            isFormatting: output.isFormatting(isTerminal: isTerminal),
            hidesSecrets: !output.showSecrets
        )
    }

    /// Prints a request that was not sent.
    func showRequest(_ request: NetworkRequest) throws(OutputError) {
        try Console.write(text.requestHead(request) + text.requestContent(request))
    }

    /// Prints an outcome, and saves its content if requested.
    func present(_ outcome: NetworkResponse) throws(OutputError) {
        progress?.finish()
        guard results.format == .json else { return try presentText(outcome) }
        let report = LoadReport(plan: plan, outcome: outcome, omitsContent: results.savesContent)
        if outcome.error == nil { try save(outcome) }
        try Console.write(report.json.text + "\n")
    }

    /// Writes the failure to standard error, unless the printed response shows it.
    func explain(_ outcome: NetworkResponse) {
        if let error = outcome.error { return Console.note(error.descriptionWithoutHint, hint: Hint.text(for: error)) }
        let isSeen = Terminal.isOutput && results.format == .text && parts.head
        guard !isSeen, let head = outcome.head, isNotable(head.statusCode) else { return }
        let reason = head.reasonPhrase.isEmpty ? head.status.reasonPhrase : head.reasonPhrase
        let request = outcome.request.map { "\($0.method.rawValue) \(Redaction.redact($0.target))" } ?? plan.method
        notes.warn(
            "\(request) returned \(head.statusCode) \(reason)",
            hint: plan.input == .implied ? "The content came from standard input; --ignore-stdin sends none." : nil
        )
    }

    private func isNotable(_ status: Int) -> Bool {
        status >= 400 || results.checks.checkStatus && ExitStatus(ofStatusCode: status) != .success
    }

    private func presentText(_ outcome: NetworkResponse) throws(OutputError) {
        if let request = outcome.request {
            if parts.requestHead { try Console.write(text.requestHead(request)) }
            if parts.requestContent { try Console.write(text.requestContent(request)) }
        }
        if parts.head, let head = outcome.head {
            try Console.write(text.head(head, hidesSecrets: output.verbose && !output.showSecrets))
        }
        if outcome.error == nil {
            if results.savesContent { try save(outcome) } else if parts.content { try show(outcome) }
        }
        if parts.meta { try Console.write(TimingText.text(outcome.metrics)) }
    }

    private func show(_ outcome: NetworkResponse) throws(OutputError) {
        guard let data = outcome.data else { return }
        if Terminal.isOutput, !MessageText.isText(data) {
            return try Console.write("(\(data.count) bytes that are not text; -o FILE saves them)\n")
        }
        let shown = text.content(data, mediaType: outcome.head?.headers[.contentType])
        try Console.write(shown)
        let endsLine = shown.last == UInt8(ascii: "\n")
        if Terminal.isOutput || parts.meta, !endsLine { try Console.write("\n") }
    }

    private func save(_ outcome: NetworkResponse) throws(OutputError) {
        guard results.savesContent else { return }
        let content = outcome.data ?? Data()
        let path = try SavedContent.write(content, to: results.file, outcome)
        guard notes.showsProgress else { return }
        Console.writeError("Saved \(ByteText.text(content.count)) to \(VisibleText.line(path))\n")
    }
}
