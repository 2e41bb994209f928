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
    /// Draws the progress of the transfer; `nil` unless content is saved or may be large, and it may be shown.
    let progress: ProgressBar?

    /// All exchanges of the load, if -v shows them.
    private let watched: WatchedTransport?
    private let parts: PrintedParts
    private let text: MessageText

    init(
        plan: RequestPlan,
        output: OutputOptions,
        results: ResultOptions,
        notes: NoteOptions,
        watched: WatchedTransport? = nil
    ) {
        self.plan = plan
        self.watched = watched
        self.output = output
        self.results = results
        self.notes = notes
        // Content that is printed as it arrives would be mixed with the line.
        let isLarge = results.savesContent || plan.content?.isStreamed == true
        let isMixed = results.stream && !results.savesContent || results.printsContent && Terminal.isOutput
        progress = isLarge && !isMixed && notes.showsProgress ? ProgressBar() : nil
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

    /// The form of content that is printed as it arrives.
    func streamFormat(_ head: ResponseHead) -> StreamFormat {
        StreamFormat(mediaType: head.headers[.contentType], isTerminal: Terminal.isOutput, text)
    }

    /// Whether content that is printed as it arrives is wanted at all.
    var showsContent: Bool { parts.content }

    /// Prints an outcome, and saves the content of an error if requested.
    func present(_ delivery: Delivery) async throws(OutputError) {
        progress?.finish()
        let delivery = try saveError(delivery)
        let outcome = delivery.outcome
        guard results.format == .json else {
            try await presentText(delivery)
            return presentSaved(delivery)
        }
        presentSaved(delivery)
        let report = LoadReport(plan: plan, outcome: outcome, passed: delivery.passed)
        try Console.write(report.json.text + "\n")
    }

    private func presentText(_ delivery: Delivery) async throws(OutputError) {
        let outcome = delivery.outcome
        if !delivery.isPrinted {
            try await present(
                outcome.request,
                head: outcome.head,
                metrics: outcome.metrics.transfer ?? outcome.error?.transfer
            )
            if outcome.error == nil, delivery.passed == nil {
                if results.savesContent { showError(outcome) } else if parts.content { try show(outcome) }
            }
        }
        if parts.meta { try Console.write(TimingText.text(outcome.metrics)) }
    }

    private func show(_ outcome: NetworkResponse) throws(OutputError) {
        guard let content = outcome.data else { return }
        let mediaType = outcome.head?.headers[.contentType]
        let data = text.readable(content, mediaType: mediaType)
        if Terminal.isOutput, !MessageText.isText(data) {
            return try Console.write("(\(data.count) bytes that are not text; -o FILE saves them)\n")
        }
        let shown = text.content(data, mediaType: mediaType)
        try Console.write(shown)
        let endsLine = shown.last == UInt8(ascii: "\n")
        if Terminal.isOutput || parts.meta, !endsLine { try Console.write("\n") }
    }
}

// MARK: Exchanges

extension Presenter {
    /// Prints the request and the head of the response, after the earlier exchanges.
    ///
    /// - Parameter metrics: `nil` before content that is printed as it arrives.
    func present(
        _ request: NetworkRequest?,
        head: ResponseHead?,
        metrics: TransferMetrics? = nil
    ) async throws(OutputError) {
        var exchanges = watched?.exchanges ?? []
        // A recording may have answered the last request.
        let last = exchanges.last.flatMap { $0.request.target == request?.target ? exchanges.popLast() : nil }
        for exchange in exchanges { try await present(earlier: exchange) }
        try await presentHeads(last?.request ?? request, head: head, metrics: last?.metrics ?? metrics)
    }

    private func presentHeads(
        _ request: NetworkRequest?,
        head: ResponseHead?,
        metrics: TransferMetrics?
    ) async throws(OutputError) {
        if parts.requestHead, output.verbose, let metrics {
            try Console.write(ConnectionText(metrics: metrics).lines)
        }
        if let request = await request?.withShownContent() {
            let version = head?.httpVersion ?? metrics?.httpVersion
            if parts.requestHead { try Console.write(text.requestHead(request, version: version)) }
            if parts.requestContent { try Console.write(text.requestContent(request)) }
        }
        if parts.head, let head {
            try Console.write(text.head(head, hidesSecrets: output.verbose && !output.showSecrets))
        }
    }

    /// Prints an exchange that another one followed: a redirect, a challenge, an attempt that was repeated.
    private func present(earlier exchange: WatchedExchange) async throws(OutputError) {
        try await presentHeads(exchange.request, head: exchange.head, metrics: exchange.metrics)
        if parts.requestHead || parts.head, let error = exchange.error {
            try Console.write("* \(VisibleText.line(error.descriptionWithoutHint))\n\n")
        }
        guard parts.content, let content = exchange.content, !content.isEmpty else { return }
        if exchange.head?.headers.contains(.contentEncoding) == true || !MessageText.isText(content) {
            return try Console.write("(\(content.count) bytes that are not text)\n\n")
        }
        let shown = text.content(content, mediaType: exchange.head?.headers[.contentType])
        try Console.write(shown)
        try Console.write(shown.last == UInt8(ascii: "\n") ? "\n" : "\n\n")
    }
}

// MARK: Content that was to be saved

extension Presenter {
    /// Shows the content of an error, which was not saved, on standard error.
    private func showError(_ outcome: NetworkResponse) {
        guard !notes.quiet, let data = outcome.data, !data.isEmpty else { return }
        guard MessageText.isText(data) else {
            return Console.writeError("(\(data.count) bytes that are not text; --save-errors saves them)\n")
        }
        Console.writeError(String(decoding: data, as: UTF8.self) + (data.last == UInt8(ascii: "\n") ? "" : "\n"))
    }

    /// Saves the content of an error response, if requested.
    private func saveError(_ delivery: Delivery) throws(OutputError) -> Delivery {
        guard results.saveErrors, delivery.passed == nil, delivery.outcome.error == nil else { return delivery }
        let data = delivery.outcome.data ?? Data()
        // Only this much content of an error is kept.
        if data.count >= 1 << 20 {
            throw OutputError(path: results.file ?? ".", reason: "the content of the error response is 1 MiB or more")
        }
        var delivery = delivery
        delivery.passed = .init(byteCount: data.count)
        delivery.passed?.path = try SavedContent.write(data, to: results.file, delivery.outcome)
        return delivery
    }

    /// What -C has found; `nil` if there was nothing to continue.
    private static func continuation(of passed: Delivery.Passed) -> String? {
        if passed.resumedFrom == 0 { return passed.hadEarlier ? "the download began anew" : nil }
        let text = "\(ByteText.exact(passed.resumedFrom)) were there already"
        return passed.resumedFrom == passed.byteCount ? "\(text): the file is complete" : text
    }

    /// Reports what was saved, and what was there before.
    private func presentSaved(_ delivery: Delivery) {
        guard let passed = delivery.passed, delivery.outcome.error == nil, results.savesContent else { return }
        let isSuccess = delivery.outcome.statusCode.map { $0 < 300 } == true
        if results.continues, isSuccess, let continuation = Self.continuation(of: passed) { notes.warn(continuation) }
        if notes.showsProgress {
            let place = passed.path.map(VisibleText.line) ?? "standard output"
            Console.writeError("Saved \(ByteText.text(passed.byteCount)) to \(place)\n")
        }
    }

    /// Writes the failure to standard error, unless the printed response shows it.
    func explain(_ delivery: Delivery) {
        let outcome = delivery.outcome
        if let error = outcome.error {
            Console.note(error.descriptionWithoutHint, hint: Hint.text(for: error))
            guard delivery.keptByteCount > 0 else { return }
            return notes.warn("\(ByteText.exact(delivery.keptByteCount)) are kept", hint: "-C continues the download.")
        }
        let isSeen = Terminal.isOutput && results.format == .text && parts.head
        guard !isSeen, let head = outcome.head, isNotable(head) else { return }
        let request = outcome.request.map { "\($0.method.rawValue) \($0.redactor.uri($0.target))" } ?? plan.method
        notes.warn(
            "\(request) returned \(head.statusCode) \(Redactor().text(head.reasonPhrase))",
            hint: isUnfollowed(head) ? "--follow loads what it redirects to." : inputHint
        )
    }

    private var inputHint: String? {
        plan.input == .implied ? "The content came from standard input; --ignore-stdin sends none." : nil
    }

    private func isNotable(_ head: ResponseHead) -> Bool {
        let isChecked = results.checks.checkStatus || results.savesOnlySuccess
        let isHidden = results.format == .text && !parts.head
        return head.statusCode >= 400 || isChecked && ExitStatus(ofStatusCode: head.statusCode) != .success
            || isHidden && isUnfollowed(head)
    }

    /// Whether the response is a redirect, which is followed only with `--follow`.
    private func isUnfollowed(_ head: ResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.statusCode) && head.headers.contains(.location)
    }
}
