// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import TestSupport

/// What was logged.
final class LogLines: Sendable {
    /// An entry of the log handler.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        /// The metadata of the line, over that of its logger.
        let metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            lines.state.append(Line(level: event.level, message: "\(event.message)", metadata: metadata))
        }
    }

    private let state = Recording<Line>()
    var all: [Line] { state.values }
    /// The lines about the ends of loads.
    var outcomes: [Line] { all.filter { $0.metadata["swifty.attempts"] != nil } }
    var others: [Line] { all.filter { $0.metadata["swifty.attempts"] == nil } }

    func logger(_ level: Logger.Level) -> Logger {
        Logger(label: "test") { _ in Handler(lines: self, logLevel: level) }
    }
}

/// Responds with the statuses in turn, and then always with the last one; a redirect leads to `/y`.
func statusStub(_ statuses: Int..., headers: HTTPFields = [:]) -> StubTransport {
    let count = Counter()
    return StubTransport { request in
        let status = statuses[min(count.increment(), statuses.count) - 1]
        var headers = headers
        if 300..<400 ~= status { headers[.location] = "https://api.example.com/y?token=canary" }
        return TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data())
    }
}
