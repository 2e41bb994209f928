// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Logs what happens in one load: its outcome, and on the way what a person may want to know.
final class LoadLog: Swifty.LoadTracer {
    let addsFields = false
    private let logger: Logger
    private let policy: LoggingPolicy
    private let draft: RequestDraft
    private let instance: String?
    /// The number of the current attempt, and what it has ended with, which is the reason of a retry.
    private let attempt = Mutex<(number: Int, ended: LoadMetrics.Attempt?)>((0, nil))
    /// The request on the wire, of which the fields of its response may quote secrets.
    private let request = Mutex<NetworkRequest?>(nil)

    init(_ draft: RequestDraft, to logger: Logger, policy: LoggingPolicy, instance: String?) {
        (self.draft, self.logger, self.policy, self.instance) = (draft, logger, policy, instance)
    }

    func observe(_ event: Swifty.Event) {
        switch event {
        case .attemptStarted(let number): attempt.withLock { $0 = (number, nil) }
        case .attemptEnded(let ended): attempt.withLock { $0.ended = ended }
        case .retryScheduled(let delay): logRetry(after: delay)
        case .waitIsLong(let names): logSlowness("still waits for \(names.joined(separator: ", "))")
        case .hookIsSlow(let name): logSlowness("waits for \(name), which takes long")
        case .rerouted(let peer): logWire("is rerouted", ["swifty.peer": "\(peer)"])
        case .answered(let source): logWire("is answered by a stored response", ["swifty.source": "\(source.rawValue)"])
        case .finished(let response): logOutcome(response)
        case .created, .waiting, .intercepted, .queued, .transfer, .redirected: break
        }
    }

    private func logRetry(after delay: Duration) {
        let (number, attempt) = attempt.withLock { ($0.number, $0.ended) }
        logger.log(
            level: policy.retryLevel,
            "\(draft.summary) will be sent again, after \(attempt?.outcomeText ?? "a failure")",
            metadata: metadata([
                "swifty.attempt": .stringConvertible(number),
                "swifty.retry_delay": .stringConvertible(delay / .seconds(1)),
                "http.response.status_code": attempt?.statusCode.map { .stringConvertible($0) },
                "error.type": attempt?.errorCode.map { .string($0.rawValue) },
            ])
        )
    }

    private func logSlowness(_ text: String) {
        logger.log(level: policy.slownessLevel, "\(draft.summary) \(text)", metadata: metadata([:]))
    }

    private func logOutcome(_ response: NetworkResponse) {
        logger.log(
            level: policy.level(of: response.error),
            "\(response.error?.description ?? "\(draft.summary) succeeded")",
            metadata: metadata([
                "swifty.attempts": .stringConvertible(response.metrics.attempts.count),
                "swifty.total": .stringConvertible(response.metrics.total / .seconds(1)),
                "http.response.status_code": response.statusCode.map { .stringConvertible($0) },
                "error.type": response.error.map { .string($0.code.rawValue) },
            ])
        )
    }

    /// The facts about the request, by the names of OpenTelemetry where it has some, and others. Not for those that are
    /// `nil`.
    private func metadata(_ others: KeyValuePairs<String, Logger.MetadataValue?>) -> Logger.Metadata {
        let summary = draft.summary
        var metadata: Logger.Metadata = ["http.request.method": "\(draft.method.rawValue)"]
        if let target = draft.target {
            metadata["server.address"] = .string(target.host)
            metadata["server.port"] = .stringConvertible(target.port)
        }
        if draft.hasTemplate { metadata["url.template"] = summary.template.map { .string($0) } }
        metadata["swifty.name"] = summary.name.map { .string($0) }
        metadata["swifty.instance"] = instance.map { .string($0) }
        for (key, value) in others { metadata[key] = value }
        return metadata
    }
}

// MARK: Requests and responses

extension LoadLog {
    func send(_ request: NetworkRequest, fields: inout HTTPFields) {
        guard isWireLogged else { return }
        self.request.withLock { $0 = request }
        let redactor = request.redactor
        logWire("is sent to \(redactor.uri(request.target))", redactor.metadata(fields, of: "request"))
    }

    func receive(_ response: TransportResponse, isComplete: Bool) {
        guard isWireLogged else { return }
        let (head, metrics) = (response.head, response.metrics)
        let redactor = request.withLock { $0?.redactor } ?? draft.redactor
        var metadata = redactor.metadata(head.headers, of: "response")
        metadata["http.response.status_code"] = .stringConvertible(head.statusCode)
        metadata["network.protocol.version"] = .string(head.httpVersion.rawValue)
        if !metrics.remoteAddress.isEmpty {
            metadata["network.peer.address"] = .string(metrics.remoteAddress)
            metadata["network.peer.port"] = .stringConvertible(metrics.remotePort)
        }
        logWire("is answered with the status \(head.statusCode)", metadata)
    }

    private var isWireLogged: Bool { policy.wireLevel >= logger.logLevel }

    private func logWire(_ text: @autoclosure () -> String, _ facts: @autoclosure () -> Logger.Metadata) {
        guard isWireLogged else { return }
        let metadata = metadata([:]).merging(facts()) { $1 }
        logger.log(level: policy.wireLevel, "\(draft.summary) \(text())", metadata: metadata)
    }
}

extension Redactor {
    /// Fields as OpenTelemetry names them, `http.request.header.accept`, each with a list of its values.
    fileprivate func metadata(_ fields: HTTPFields, of message: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for field in fields {
            let key = "http.\(message).header.\(field.name.canonicalName)"
            // Without control characters, which could write to a terminal or begin another line.
            let text = Redaction.line(value(field.value, of: field.name.rawName))
            let value = Logger.MetadataValue.string(text)
            if case .array(let values) = metadata[key] {
                metadata[key] = .array(values + [value])
            } else {
                metadata[key] = .array([value])
            }
        }
        return metadata
    }
}

extension LoadMetrics.Attempt {
    /// What an attempt has ended with, after the word "after".
    fileprivate var outcomeText: String {
        errorCode.map { "\($0.rawValue)" } ?? statusCode.map { "the status \($0)" } ?? "a failure"
    }
}
