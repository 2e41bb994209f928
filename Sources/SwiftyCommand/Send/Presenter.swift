// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// Prints a request and what came of it, as the options say.
struct Presenter {
    let plan: RequestPlan
    let output: OutputOptions
    let results: ResultOptions
    /// Draws how far the transfer is; `nil` unless content is saved and a person can see it.
    let progress: ProgressObserver?

    private let parts: PrintedParts
    private let text: MessageText

    init(plan: RequestPlan, output: OutputOptions, results: ResultOptions) {
        self.plan = plan
        self.output = output
        self.results = results
        progress = results.savesContent && Terminal.isError ? ProgressObserver() : nil
        let isTerminal = Terminal.isOutput
        let letters = output.parts(isTerminal: isTerminal)
        parts = letters ?? PrintedParts(argument: "b") ?? .nothing
        text = MessageText(
            style: output.style(isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment),
            isFormatting: output.isFormatting(isTerminal: isTerminal),
            hidesSecrets: !output.showSecrets
        )
    }

    /// Prints a request that was not sent.
    func showRequest(_ request: NetworkRequest) {
        Console.write(text.requestHead(request) + text.requestContent(request))
    }

    /// Prints an outcome, and saves its content if asked.
    func present(_ outcome: NetworkResponse) throws {
        progress?.finish()
        if results.format == .json {
            let report = LoadReport(plan: plan, outcome: outcome, omitsContent: results.savesContent)
            if outcome.error == nil { try save(outcome) }
            Console.write(report.json.text + "\n")
        } else {
            try presentText(outcome)
        }
        if let error = outcome.error { Console.note(error.descriptionWithoutHint, hint: Hint.text(for: error)) }
    }

    private func presentText(_ outcome: NetworkResponse) throws {
        if let request = outcome.request {
            if parts.requestHead { Console.write(text.requestHead(request)) }
            if parts.requestContent { Console.write(text.requestContent(request)) }
        }
        if parts.head, let head = outcome.response {
            Console.write(text.head(head, hidesSecrets: output.verbose && !output.showSecrets))
        }
        if outcome.error == nil {
            if results.savesContent { try save(outcome) } else if parts.content { show(outcome) }
        }
        if parts.meta { Console.write(MetaText.text(outcome.metrics)) }
    }

    private func show(_ outcome: NetworkResponse) {
        guard let data = outcome.data else { return }
        if Terminal.isOutput, !MessageText.isText(data) {
            return Console.write("(\(data.count) bytes that are no text; -o FILE saves them)\n")
        }
        let shown = text.content(data, mediaType: outcome.response?.headers[.contentType])
        Console.write(shown)
        let endsLine = shown.last == UInt8(ascii: "\n")
        if Terminal.isOutput || parts.meta, !endsLine { Console.write("\n") }
    }

    private func save(_ outcome: NetworkResponse) throws {
        guard results.savesContent else { return }
        let content = outcome.data ?? Data()
        let path = try SavedContent.write(content, to: results.file, outcome)
        if Terminal.isError { Console.writeError("Saved \(ByteText.text(content.count)) to \(path)\n") }
    }
}

extension PrintedParts {
    fileprivate static let nothing = PrintedParts()

    private init() {}
}
