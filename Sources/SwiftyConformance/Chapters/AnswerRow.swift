// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

import struct Foundation.Data

/// A scenario as a row of a table: the bytes of a response, and the expected outcome of a GET.
struct AnswerRow: Sendable {
    /// The expected outcome of the request.
    enum Outcome: Sendable {
        /// The content of a response; its status is 200 unless given.
        case content(String, status: Int = 200)
        /// An error, and a connection that is not used again.
        case failure(ExpectedFailure)
    }

    let name: String
    let sentence: String
    let bytes: String
    let outcome: Outcome
    var method = HTTPRequest.Method.get
    var needs = TransportCapabilities.network
    /// Whether the server closes the connection after the bytes, and does not wait for another request on it.
    var closes = false
    var settings: @Sendable (inout TransportSettings) -> Void = { _ in }

    static func scenarios(_ chapter: String, _ rows: [AnswerRow]) -> [ConformanceScenario] {
        rows.map { row in
            ConformanceScenario("\(chapter)/\(row.name)", row.sentence, needs: row.needs) { try await row.check($0) }
        }
    }

    private func check(_ run: ConformanceRun) async throws {
        let rest: [ScriptedServer.Step] = closes ? [.close] : [.readRequest, .respond(content: "reused"), .stall]
        let server = try run.server(first: [.readRequest, .send(bytes)] + rest, then: "fresh")
        let transport = run.transport(settings)
        let request = try NetworkRequest.to(server.url, method)
        switch outcome {
        case .content(let text, let status):
            let response = try await transport.load(request)
            try expect("the status", response.head.statusCode, is: status)
            try expect("the content", response.text, is: text)
        case .failure(let expected):
            try expected.check(try await transport.failure(of: request))
            try expect("the next response", try await transport.text(of: server.url), is: "fresh")
        }
    }
}

extension AnswerRow {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    static let short = ok + "Content-Length: 3\r\n"

    static func accepted(
        _ name: String,
        _ sentence: String,
        _ bytes: String,
        _ text: String = "abc",
        status: Int = 200,
        method: HTTPRequest.Method = .get,
        closes: Bool = false
    ) -> AnswerRow {
        let outcome = Outcome.content(text, status: status)
        return AnswerRow(
            name: name,
            sentence: sentence,
            bytes: bytes,
            outcome: outcome,
            method: method,
            closes: closes
        )
    }

    /// A row of a response that violates HTTP.
    static func refused(_ name: String, _ sentence: String, _ bytes: String, closes: Bool = false) -> AnswerRow {
        let failure = ExpectedFailure(.malformedResponse)
        return AnswerRow(name: name, sentence: sentence, bytes: bytes, outcome: .failure(failure), closes: closes)
    }

    static func cut(
        _ name: String,
        _ sentence: String,
        _ bytes: String,
        _ stages: Set<SwiftyError.Stage>,
        _ sent: SwiftyError.SentState
    ) -> AnswerRow {
        let failure = ExpectedFailure(.connectionLost, stages, sent)
        return AnswerRow(name: name, sentence: sentence, bytes: bytes, outcome: .failure(failure), closes: true)
    }
}
