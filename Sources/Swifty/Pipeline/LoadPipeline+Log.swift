// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

extension LoadPipeline {
    /// Logs a load that has ended.
    // A cold path; see LoadPipeline+ColdPaths.swift.
    @inline(never)
    func log(_ response: NetworkResponse, _ load: Load) {
        guard let logger = configuration.logger else { return }
        let summary = load.state.draft.summary
        // The error reaches the caller, which decides whether it is a problem: not a warning.
        let isFailure = response.error.map { ![.cancelled, .shutdown].contains($0.code) } ?? false
        logger.log(
            level: isFailure ? .info : .debug,
            "\(response.error.map { $0.description } ?? "\(summary) succeeded")",
            metadata: logMetadata(response, summary, load)
        )
    }

    /// The facts about a load, by the names of OpenTelemetry where it has some.
    private func logMetadata(
        _ response: NetworkResponse,
        _ summary: NetworkRequest.Summary,
        _ load: Load
    ) -> Logger.Metadata {
        let draft = load.state.draft
        var metadata: Logger.Metadata = [
            "http.request.method": "\(draft.method.rawValue)",
            "server.address": "\(draft.target?.host ?? "")",
            "swifty.attempts": .stringConvertible(load.state.metrics.attempts.count),
            "swifty.total": .stringConvertible(load.state.metrics.total / .seconds(1)),
        ]
        if let status = response.statusCode { metadata["http.response.status_code"] = .stringConvertible(status) }
        if let code = response.error?.code { metadata["error.type"] = "\(code.rawValue)" }
        if let template = summary.template { metadata["url.template"] = "\(template)" }
        if let name = summary.name { metadata["swifty.name"] = "\(name)" }
        return metadata
    }
}
