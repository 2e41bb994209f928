// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("HTTP/2 servers that send malformed or unusual frames", .timeLimit(.minutes(15)))
struct FrameTableTests {
    @Test("on the connection: each has its outcome")
    func connection() async throws {
        try await check(FrameCase.connection)
    }

    @Test("on a stream: each has its outcome")
    func streams() async throws {
        try await check(FrameCase.streams)
    }

    @Test("with fields and content: each has its outcome")
    func fields() async throws {
        try await check(FrameCase.fields)
    }

    @Test("with compressed fields and statuses: each has its outcome")
    func compression() async throws {
        try await check(FrameCase.compression)
    }

    @Test("are at least as many as the cases for servers of h2spec, each with a name of its own")
    func count() {
        let cases = FrameCase.connection + FrameCase.streams + FrameCase.fields + FrameCase.compression
        #expect(cases.count >= 146)
        #expect(Set(cases.map(\.name)).count == cases.count)
    }

    /// All cases with one server.
    private func check(_ cases: [FrameCase]) async throws {
        let peer = try await TLSPeer("http2_frames.py")
        let observer = peer.transport()
        for (index, row) in cases.enumerated() {
            let transport = peer.transport { $0.loops = 1 }
            try await check(row, "\(index)", peer, transport, observer)
            await transport.shutdown()
        }
        await observer.shutdown()
    }

    private func check(
        _ row: FrameCase,
        _ key: String,
        _ peer: TLSPeer,
        _ transport: CurlTransport,
        _ observer: CurlTransport
    ) async throws {
        let url = peer.url("\(row.place.rawValue)/\(key)")
        let timeouts = NetworkRequest.Timeouts(total: .seconds(20))
        let result = await transport.result(
            of: try .to(url, method: .post, content: Data(row.frames), timeouts: timeouts)
        )
        let next = try await transport.get(peer.url("ok"))
        let log = try await log(of: key, isWhole: next.metrics.isConnectionReused, peer, observer)
        var outcome = FrameCase.Outcome(isReused: next.metrics.isConnectionReused)
        outcome.reply = log.last { $0 != "END" }
        outcome.error = expect(result, of: row)
        #expect(outcome.description == row.outcome.description, "\(row): \(result)")
    }

    /// Checks what is not a part of the outcome, and returns the code of the error.
    private func expect(_ result: Result<TransportResponse, SwiftyError>, of row: FrameCase) -> SwiftyError.Code? {
        switch result {
        case .success(let response):
            #expect(response.text == row.text, "\(row)")
            return nil
        case .failure(let error):
            #expect(row.outcome.reason.isEmpty || error.reason.contains(row.outcome.reason), "\(row): \(error)")
            #expect(error.sent != .notSent, "\(row)")
            return error.code
        }
    }

    /// The client's frames on the connection of a case. A connection that lives has served another load behind them.
    private func log(
        of key: String,
        isWhole: Bool,
        _ peer: TLSPeer,
        _ observer: CurlTransport
    ) async throws -> [String] {
        var log: [String] = []
        try await until {
            log = try await observer.get(peer.url("log/\(key)")).text.split(separator: "\n").map(String.init)
            return isWhole || log.last == "END"
        }
        return log
    }
}
