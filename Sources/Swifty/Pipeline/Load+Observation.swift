// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

extension Load {
    /// Notifies the observers, if there are any.
    func emit(_ event: @autoclosure () -> Swifty.Event) {
        if !configuration.observers.isEmpty { notifyObservers(event) }
    }

    @inline(never)
    private func notifyObservers(_ event: () -> Swifty.Event) {
        let event = event()
        for observer in configuration.observers { observer.observe(event, of: observed) }
    }

    @inline(never)
    func log(_ response: NetworkResponse) {
        guard let logger = configuration.logger else { return }
        let summary = state.draft.summary
        // The error reaches the caller, which decides whether it is a problem: not a warning.
        let isFailure = response.error.map { ![.cancelled, .shutdown].contains($0.code) } ?? false
        logger.log(
            level: isFailure ? .info : .debug,
            "\(response.error.map { $0.description } ?? "\(summary) succeeded")",
            metadata: logMetadata(response, summary)
        )
    }

    /// The facts about a load, by the names of OpenTelemetry where it has some.
    private func logMetadata(_ response: NetworkResponse, _ summary: NetworkRequest.Summary) -> Logger.Metadata {
        let draft = state.draft
        var metadata: Logger.Metadata = [
            "http.request.method": "\(draft.method.rawValue)",
            "server.address": "\(draft.target?.host ?? "")",
            "swifty.attempts": .stringConvertible(state.metrics.attempts.count),
            "swifty.total": .stringConvertible(state.metrics.total / .seconds(1)),
        ]
        if let status = response.statusCode { metadata["http.response.status_code"] = .stringConvertible(status) }
        if let code = response.error?.code { metadata["error.type"] = "\(code.rawValue)" }
        if let template = summary.template { metadata["url.template"] = "\(template)" }
        if let name = summary.name { metadata["swifty.name"] = "\(name)" }
        if let name = configuration.name { metadata["swifty.instance"] = "\(name)" }
        return metadata
    }
}
