// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("Connections before the first load", .timeLimit(.minutes(15)))
struct PrewarmedLoadTests {
    private func swifty(_ configure: (inout Swifty.Configuration) -> Void = { _ in }) -> Swifty {
        var settings = TransportSettings()
        settings.connections.maximumAge = .seconds(3_600)
        return Swifty(transport: settings, configure: configure)
    }

    @Test("are opened, and the first load uses one")
    func prewarm() async throws {
        let server = try LoopbackServer()
        let swifty = swifty()
        try await swifty.prewarm("\(server.url)/any/path", connections: 3)
        try await until { server.connectionCount == 3 }
        #expect(await swifty.connectionStatistics().idle == 3)
        #expect(server.log.requests.isEmpty)
        let response = try await BaseResource(server.url, networkInterface: swifty).get("get").load()
        #expect(response.metrics.transfer?.isConnectionReused == true)
        #expect(server.connectionCount == 3)
        await swifty.shutdown()
    }

    @Test("are opened to the server of a reroute")
    func reroute() async throws {
        let server = try LoopbackServer()
        let target = try TargetURI("http://stock.example.com")
        let peer = try TargetURI(server.url)
        let swifty = swifty { $0.reroutes = [target: peer] }
        try await swifty.prewarm(target.string)
        let response = try await BaseResource(target.string, networkInterface: swifty).get("get").load()
        #expect(response.metrics.transfer?.isConnectionReused == true)
        await swifty.shutdown()
    }

    @Test("fail with a typed error: a malformed URL, a refused connection, a deadline, a shutdown")
    func failures() async throws {
        let swifty = swifty()
        let malformed = await #expect(throws: SwiftyError.self) { try await swifty.prewarm("ftp://u:canary@x") }
        #expect(malformed?.code == .invalidURL)
        #expect(malformed.map { "\($0)".contains("canary") } == false)
        // No test listens there.
        let url = "http://127.0.0.1:1"
        let refused = await #expect(throws: SwiftyError.self) { try await swifty.prewarm(url, connections: 2) }
        #expect(refused?.code == .connectionFailed)
        let late = await #expect(throws: SwiftyError.self) {
            try await withDeadline(.milliseconds(-1)) { try await swifty.prewarm(url) }
        }
        #expect([.timedOut, .connectionFailed].contains(late?.code))
        await swifty.shutdown()
        let ended = await #expect(throws: SwiftyError.self) { try await swifty.prewarm(url) }
        #expect(ended?.code == .shutdown)
        #expect(swifty.isShutDown)
    }

    @Test("are not opened where a test replaces the network")
    func scope() async throws {
        let swifty = swifty()
        try await withMocks(for: Mocked.self) { try await swifty.prewarm("http://127.0.0.1:1") }
        #expect(await swifty.connectionStatistics() == ConnectionStatistics())
    }

    @Test("cannot be opened by a transport that does not say so")
    func otherTransport() async throws {
        let swifty = Swifty(transport: StubTransport())
        let error = await #expect(throws: SwiftyError.self) { try await swifty.prewarm("https://api.example.com") }
        #expect(error?.code == .invalidSettings)
        #expect(await swifty.connectionStatistics() == ConnectionStatistics())
    }
}

/// A service that a test mocks.
private enum Mocked: WebService {
    static let serverURL = "https://api.example.com"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport())
}

@Suite("The health of an origin", .timeLimit(.minutes(15)))
struct OriginHealthTests {
    @Test("is good while it accepts connections")
    func connection() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty()
        let health = await swifty.health(of: "\(server.url)/x", within: .seconds(30))
        #expect(health.isHealthy)
        #expect(health.origin == server.url)
        #expect(health.duration > .zero)
        let after = await swifty.health(of: "http://127.0.0.1:1")
        #expect(!after.isHealthy)
        #expect(after.error?.code == .connectionFailed)
    }

    @Test("is that of its answer to a request, which is sent once, and within the limit")
    func request() async throws {
        let stub = StubTransport { request in
            let status = request.target.path == "/up" ? 200 : 503
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data())
        }
        let swifty = Swifty(transport: stub) { $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none) }
        #expect(await swifty.health(of: swifty.api.get("up")).isHealthy)
        let down = await swifty.health(of: swifty.api.get("down"))
        #expect(down.error?.statusCode == 503)
        #expect(down.origin == "https://api.example.com")
        #expect(stub.requests.count == 2)
        let server = try LoopbackServer()
        let slow = BaseResource(server.url, networkInterface: Swifty()).get("delay/9")
        let silent = await Swifty().health(of: slow, within: .milliseconds(20))
        #expect(silent.error?.timeLimit == .deadline)
    }

    @Test("is bad while its circuit breaker is open")
    func circuit() async throws {
        let swifty = Swifty(transport: StubTransport(status: 500)) {
            $0.admission.circuitBreaker = .init(failures: 1)
        }
        _ = try? await swifty.api.get("x").load()
        let health = await swifty.health(of: swifty.api.get("x"))
        #expect(health.circuit == .open)
        #expect(health.error?.code == .circuitOpen)
        #expect(!health.isHealthy)
    }

    @Test("is good again after the time of the breaker, though no load has come")
    func circuitAfterItsTime() async throws {
        let clock = TestClock()
        let server = try LoopbackServer()
        let swifty = Swifty {
            $0.clock = clock
            $0.admission.circuitBreaker = .init(failures: 1, openDuration: .seconds(30))
        }
        _ = try? await BaseResource(server.url, networkInterface: swifty).get("status/\(500)").load()
        #expect(await swifty.health(of: server.url, within: .seconds(60)).circuit == .open)
        await clock.advance(by: .seconds(31))
        let health = await swifty.health(of: server.url, within: .seconds(60))
        #expect(health.circuit == .halfOpen)
        #expect(health.isHealthy)
        #expect(swifty.admissionStatistics.hosts[server.url]?.circuit == .halfOpen)
    }
}

@Suite("What state observers are told about connections", .timeLimit(.minutes(15)))
struct ConnectionSampleTests {
    private final class Samples: Swifty.StateObserver {
        let all = Recording<Swifty.ConnectionSample>()

        func observe(_ change: Swifty.StateChange, of instance: Swifty.ObservedInstance) {
            if case .connections(let sample) = change { all.append(sample) }
        }
    }

    @Test("comes every few seconds, and for a last time at the end, without connections")
    func samples() async throws {
        let (clock, samples) = (TestClock(), Samples())
        let server = try LoopbackServer()
        var settings = TransportSettings()
        settings.connections.maximumAge = .seconds(3_600)
        let swifty = Swifty(transport: settings) {
            $0.clock = clock
            $0.use(samples)
        }
        try await swifty.prewarm(server.url)
        for count in 1...2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(5))
            try await until { samples.all.count == count }
        }
        #expect(samples.all.values.allSatisfy { $0.statistics.hosts[server.url]?.idle == 1 && $0.transport != 0 })
        await swifty.shutdown()
        #expect(samples.all.count == 3)
        #expect(samples.all.values.last?.statistics == ConnectionStatistics())
        await clock.advance(by: .seconds(60))
        #expect(samples.all.count == 3)
    }
}
