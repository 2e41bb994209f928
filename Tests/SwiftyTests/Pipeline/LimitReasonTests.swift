// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A limit that ended a load", .timeLimit(.minutes(15)))
struct LimitReasonTests {
    private let short = Duration.seconds(1)

    private func reason(_ resource: NetworkResource) async -> String {
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        return error?.reason ?? ""
    }

    private func checkTotal(
        _ resource: NetworkResource,
        _ stage: SwiftyError.Stage?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: SwiftyError.self, sourceLocation: sourceLocation) {
            try await resource.timeout(short).load()
        }
        #expect(error?.code == .timedOut, sourceLocation: sourceLocation)
        if let stage { #expect(error?.stage == stage, sourceLocation: sourceLocation) }
        let words = "the whole call took longer than 1.0 seconds, the limit that Timeouts.total sets"
        #expect(error?.reason == words, sourceLocation: sourceLocation)
    }

    @Test("of the whole call is named with its length, whatever the stage of the load")
    func total() async throws {
        let holding = Swifty(transport: StubTransport()) { $0.use(TestConstraint { _ in }) }
        await checkTotal(holding.api.get("x"), .constraint)
        let paused = Swifty(transport: StubTransport())
        paused.pause()
        await checkTotal(paused.api.get("x"), .queue)
        let server = try ScriptedServer([.readRequest, .stall])
        // The stage that a load reaches in this time depends on the machine.
        await checkTotal(BaseResource(server.url, networkInterface: Swifty()).get("x"), nil)
        // Part of the time has passed when the transport gets the request; the error has the limit of the whole call.
        let clock = TestClock()
        let slow = Swifty {
            $0.clock = clock
            $0.use(
                RequestHook { resource in
                    await clock.advance(by: .milliseconds(200))
                    return resource
                }
            )
        }
        await checkTotal(BaseResource(server.url, networkInterface: slow).get("x"), nil)
    }

    @Test("of the interface does not hold for a request without one, and its last call of timeout counts")
    func lifted() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.timeouts.total = .seconds(40) }
        let resources = [
            swifty.api.get("x"), swifty.api.get("x").timeout(nil),
            swifty.api.get("x").timeout(.seconds(9)).timeout(nil),
            swifty.api.get("x").timeout(nil).timeout(.seconds(9)),
        ]
        for resource in resources { _ = try await resource.load() }
        let sent = stub.requests.map(\.timeouts.total)
        #expect(sent.map { $0 == nil } == [false, true, true, false])
        #expect(try #require(sent[3]) <= .seconds(9))
        var explained: [Bool] = []
        for resource in resources { explained.append("\(try await resource.explain())".contains("total")) }
        #expect(explained == [true, false, false, true])
    }

    @Test("of a phase is named with its length")
    func phases() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let base = BaseResource(server.url, networkInterface: Swifty())
        #expect(
            await reason(base.get("x").timeout(firstByte: short))
                == "no response began within 1.0 seconds, the limit that Timeouts.firstByte sets"
        )
        #expect(
            await reason(base.get("x").timeout(idle: short))
                == "nothing was sent or received for 1.0 seconds, the limit that Timeouts.idle sets"
        )
        let silent = try ScriptedServer([.stall])
        let url = silent.url.replacing("http:", with: "https:")
        let words = await reason(BaseResource(url, networkInterface: Swifty()).get("x").timeout(connect: short))
        #expect(words == "no connection was ready within 1.0 seconds, the limit that Timeouts.connect sets")
    }

    @Test("of a queue or a constraint is named with its length")
    func waits() async throws {
        var policy = AdmissionPolicy()
        policy.queueTimeout = short
        let paused = Swifty(transport: StubTransport()) { $0.admission = policy }
        paused.pause()
        #expect(
            await reason(paused.api.get("x"))
                == "the load was not admitted within 1.0 seconds, the limit that AdmissionPolicy.queueTimeout sets"
        )
        let holding = Swifty(transport: StubTransport()) { $0.use(TestConstraint(timeout: short) { _ in }) }
        #expect(
            await reason(holding.api.get("x"))
                == "TestConstraint did not finish within 1.0 seconds, the limit that Constraint.timeout sets"
        )
    }

    @Test("of redirects or of decompressed content names the setting")
    func counts() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        #expect(
            await reason(base.get("redirect/3").redirects(RedirectPolicy(maximumCount: 2)))
                == "there are more than 2 redirects, the limit that RedirectPolicy.maximumCount sets"
        )
        func decoding(_ decoding: Swifty.ContentDecoding) -> NetworkResource {
            BaseResource(server.url, networkInterface: Swifty { $0.contentDecoding = decoding }).get(
                "bomb"
            )
        }
        let zeros = Data(count: 8 << 20)
        server.route("GET", "/bomb") { _ in
            .data(Compression.gzip.compress(zeros) ?? Data()).header("Content-Encoding", "gzip")
        }
        #expect(
            await reason(decoding(Swifty.ContentDecoding(maximumBytes: 100)))
                == "the decompressed content exceeds 100 bytes, the limit that ContentDecoding.maximumBytes sets"
        )
        #expect(
            await reason(decoding(Swifty.ContentDecoding(maximumRatio: 20)))
                == "the decompressed content is more than 20 times as large as the compressed one, "
                + "the limit that ContentDecoding.maximumRatio sets"
        )
    }
}
