// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

private struct Router: RequestRouter {
    let asked = Recording<String>()
    let decide: @Sendable (TargetURI) async throws -> RequestRoute

    func route(_ target: TargetURI) async throws -> RequestRoute {
        asked.append(target.string)
        return try await decide(target)
    }
}

private struct Reporter: Swifty.Observer {
    let report: @Sendable (Swifty.Event) -> Void

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) { report(event) }
}

@Suite("A router", .timeLimit(.minutes(15)))
struct RequestRouterTests {
    struct Mine: Error {}

    @Test("connects a request to another server, which gets the host of the URL")
    func connects() async throws {
        let server = try LoopbackServer()
        let port = server.port
        let router = Router { _ in .connect(to: HostAndPort(host: "127.0.0.1", port: port)) }
        let swifty = Swifty { $0.use(router) }
        let base = BaseResource("http://shop.example.com", networkInterface: swifty)
        let echo = try await base.get("headers").load()
        #expect(try echo.text().contains("shop.example.com"))
        #expect(echo.metrics.transfer?.remotePort == port)
    }

    @Test("reports each rerouted request to observers, as the setting does")
    func reported() async throws {
        let peer = HostAndPort(host: "peer.test", port: 443)
        let events = Recording<String>()
        let observer = Reporter { if case .rerouted(let peer) = $0 { events.append("\(peer)") } }
        let routed = Swifty(transport: StubTransport()) { $0.use(observer, Router { _ in .connect(to: peer) }) }
        try await routed.api.get("x").load()
        let rerouted = Swifty(transport: StubTransport()) {
            $0.reroutes = [try! TargetURI("https://api.example.com"): try! TargetURI("https://other.test:8443")]
            $0.use(observer)
        }
        try await rerouted.api.get("x").load()
        try await Swifty(transport: StubTransport()) { $0.use(observer) }.api.get("x").load()
        #expect(events.values == ["peer.test:443", "other.test:8443"])
    }

    @Test("is asked about redirects as well, and refuses any of them")
    func redirects() async throws {
        let stub = StubTransport { _ in
            TransportResponse(
                head: ResponseHead(statusCode: 302, headers: [.location: "https://b.test/"]),
                content: Data()
            )
        }
        let router = Router { $0.host == "b.test" ? .refuse(reason: "not there") : .direct }
        let resource = Swifty(transport: stub).api.get("x").use(router)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .addressDenied)
        #expect(error?.reason == "not there")
        #expect(error?.sent == .maybeSent || error?.sent == .notSent)
        #expect(router.asked.values == ["https://api.example.com/x", "https://b.test/"])
        #expect(stub.requests.count == 1)
    }

    @Test("leaves the decision to the next one, and throws the error of the load")
    func order() async throws {
        let stub = StubTransport()
        let peers = ["1.test", "2.test"].map { HostAndPort(host: $0, port: 443) }
        let first = Router { _ in .direct }
        let second = Router { [peers] _ in .connect(to: peers[0]) }
        let third = Router { [peers] _ in .connect(to: peers[1]) }
        let swifty = Swifty(transport: stub) { $0.use(first, second) }
        try await swifty.api.get("x").use(third).load()
        #expect(stub.requests[0].connectsTo == peers[0])
        #expect(third.asked.values.isEmpty)
        let failing = Swifty(transport: stub).api.get("x").use(Router { _ in throw Mine() })
        let error = await #expect(throws: SwiftyError.self) { try await failing.load() }
        #expect(error?.code == .interceptorFailed)
        #expect(stub.requests.count == 1)
    }

    @Test(
        "denies hosts by their names, in any spelling, and by domains",
        arguments: [
            ("https://ads.example.com/", true), ("https://ADS.example.com./", true), ("https://a.tracker.test", true),
            ("https://a.b.tracker.test", true), ("https://tracker.test", false), ("https://mytracker.test", false),
            ("https://example.com", false), ("http://192.0.2.1/", true), ("http://[2001:db8::1]/", true),
        ]
    )
    func denied(url: String, isDenied: Bool) throws {
        let hosts = DeniedHosts(["Ads.Example.com", "*.Tracker.test", "192.0.2.1", "2001:DB8::1"])
        let route = hosts.route(try TargetURI(url))
        #expect((route != .direct) == isDenied)
    }
}
