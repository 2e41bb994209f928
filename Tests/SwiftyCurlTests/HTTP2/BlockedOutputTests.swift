// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// A connection whose socket takes no more output, because its server has stopped reading.
@Suite("An HTTP/2 connection that cannot send", .timeLimit(.minutes(15)))
struct BlockedOutputTests {
    private func begin(
        _ request: NetworkRequest,
        of transport: CurlTransport
    ) -> (load: Task<TransportResponse, any Error>, events: EventRecorder) {
        let events = EventRecorder()
        var request = request
        request.timeouts.total = .seconds(60)
        request.onEvent = { events.record($0) }
        let observed = request
        return (Task { try await transport.load(observed) }, events)
    }

    /// Waits until more content than the first window allows is on its way, and no more of it is sent.
    private func untilBlocked(_ events: EventRecorder) async throws {
        var count = 0
        repeat {
            count = events.progress.last?.sent ?? 0
            try await Task.sleep(for: .seconds(1))
        } while count <= 65_535 || events.progress.last?.sent != count
    }

    /// Begins requests on the same connection, until one of them cannot be sent. A socket takes some more bytes before
    /// the system calls it writable: they go out with the first requests.
    private func beginUnsent(
        _ peer: HTTP2Peer,
        _ transport: CurlTransport
    ) async throws -> Task<TransportResponse, any Error> {
        while true {
            let (load, events) = begin(try peer.request("ok", method: .get), of: transport)
            try await until { events.names.contains("reused") }
            // The turn of the loop that begins it also sends what it can.
            try await Task.sleep(for: .milliseconds(200))
            if !events.names.contains("sent") { return load }
        }
    }

    @Test("ends when its server breaks the protocol, and the request that waits to be sent is repeated")
    func breach() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport { $0.loops = 1 }
        let upload = begin(try peer.request("stuffed", content: Data(count: 48 << 20)), of: transport)
        try await untilBlocked(upload.events)
        let waiting = try await beginUnsent(peer, transport)
        #expect(try await peer.transport().get(peer.url("break")).text == "ok")
        let error = await #expect(throws: SwiftyError.self) { try await upload.load.value }
        #expect(error?.code == .malformedResponse, "\(String(describing: error))")
        let response = try await waiting.value
        #expect(response.text == "ok")
        #expect(response.metrics.repetitions == 1)
    }
}
