// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// The limits of a server's silence, which do not run while the reader or the source is waited for, and run again
/// after.
@Suite("A limit after a pause", .timeLimit(.minutes(15)))
struct PausedLimitTests {
    enum Limit: CaseIterable {
        case idle
        case firstByte

        var timeLimit: SwiftyError.TimeLimit { self == .idle ? .idle : .firstByte }

        /// The limit, shorter than the pauses of these tests, beside a long one that ends a test that would hang.
        var timeouts: NetworkRequest.Timeouts {
            switch self {
            case .idle: NetworkRequest.Timeouts(total: .seconds(60), idle: .milliseconds(500))
            case .firstByte: NetworkRequest.Timeouts(total: .seconds(60), firstByte: .milliseconds(500))
            }
        }
    }

    private static let pause = Duration.milliseconds(1200)

    @Test("of the reader ends a response whose server is silent", arguments: FlowPeer.Version.allCases)
    func reader(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let stream = try await peer.stream("stall/6000000", timeouts: Limit.idle.timeouts)
        let error = await #expect(throws: SwiftyError.self) {
            for _ in 0..<3 {
                _ = try await stream.content.next()
                try await Task.sleep(for: Self.pause)
            }
            _ = try await stream.content.collect()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .idle)
    }

    @Test(
        "of the source ends a request without a response",
        arguments: FlowPeer.Version.allCases,
        Limit.allCases
    )
    func source(version: FlowPeer.Version, limit: Limit) async throws {
        let peer = try await FlowPeer(version)
        let source = PausingSource(["hello", "world"], pause: Self.pause, .none)
        let request = try peer.request("silent", method: .post, timeouts: limit.timeouts).sending(source)
        let error = try await peer.transport.failure(of: request)
        #expect(error.code == .timedOut)
        #expect(error.timeLimit == limit.timeLimit)
    }

    @Test("for the server's consent ends a request without a response", arguments: Limit.allCases)
    func consent(limit: Limit) async throws {
        let server = try ScriptedServer([.readHead, .stall])
        let transport = CurlTransport(configuration: .with { $0.settings.connections.expectContinueThreshold = 0 })
        let source = PausingSource(["hello"], pause: .zero, .none)
        let request = try NetworkRequest.to(server.url, method: .post, timeouts: limit.timeouts).sending(source)
        let error = try await transport.failure(of: request)
        #expect(error.code == .timedOut)
        #expect(error.timeLimit == limit.timeLimit)
    }
}
