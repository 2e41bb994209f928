// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import CoreMetrics
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import Swifty
import SwiftyObservability
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("Metrics", .timeLimit(.minutes(15)))
struct MetricsTests {
    private let metrics = TestMetrics()

    private func swifty(
        _ transport: any Transport,
        configure: (inout Swifty.Configuration) -> Void = { _ in }
    ) -> Swifty {
        Swifty(transport: transport) {
            $0.use(.metrics(factory: metrics))
            configure(&$0)
        }
    }

    /// The attributes of each series of a timer, with the number of its values.
    private func timers(_ label: String) -> [[String: String]: Int] {
        Dictionary(metrics.timers(label: label).map { ($0.dimensions.dictionary, $0.values.count) }) { $0 + $1 }
    }

    @Test("of a request have OpenTelemetry's names, attributes and unit")
    func request() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty { $0.use(.metrics(factory: metrics)) }
        let base = BaseResource(server.url, networkInterface: swifty)
        _ = try await base.post("status/\(200)").data(Data(count: 300)).load()
        let port = try #require(URL(string: server.url)?.port)
        let attributes = [
            "http.request.method": "POST", "url.template": "status/{}", "server.address": "127.0.0.1",
            "server.port": "\(port)", "http.response.status_code": "200", "network.protocol.version": "1.1",
        ]
        let timer = try #require(metrics.timers(label: "http.client.request.duration").first)
        #expect(timer.dimensions.dictionary == attributes)
        #expect(timer.displayUnit == .seconds)
        #expect(timer.values.count == 1)
        #expect(timer.values.allSatisfy { $0 > 0 && $0 < 60_000_000_000 })
        let sent = try #require(metrics.recorders(label: "http.client.request.body.size").first)
        #expect(sent.dimensions.dictionary == attributes)
        #expect(sent.values == [300])
        let received = try #require(metrics.recorders(label: "http.client.response.body.size").first)
        #expect(received.values == [0])
        let active = try #require(metrics.meters(label: "http.client.active_requests").first)
        #expect(active.values == [1, 0])
        for key in attributes.keys {
            let isOfResponse = ["http.response.status_code", "network.protocol.version"].contains(key)
            #expect((active.dimensions.dictionary[key] == nil) == isOfResponse)
        }
        let load = try #require(metrics.timers(label: "swifty.load.duration").first)
        #expect(
            load.dimensions.dictionary == [
                "http.request.method": "POST", "url.template": "status/{}", "swifty.source": "network",
            ]
        )
        #expect(timer.values[0] <= load.values[0])
    }

    @Test("have one value for each attempt, with its own error type, and count the retries by their reasons")
    func retries() async throws {
        let calls = Counter()
        let stub = StubTransport { _ in
            switch calls.increment() {
            case 1: return TransportResponse(head: ResponseHead(statusCode: 503), content: Data())
            case 2: throw SwiftyError(.connectionLost, stage: .content, sent: .maybeSent, reason: "cut")
            default: return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("abc".utf8))
            }
        }
        let swifty = swifty(stub) { $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none) }
        _ = try await swifty.api.get("x").load()
        let series = timers("http.client.request.duration")
        let errors = Dictionary(uniqueKeysWithValues: series.map { ($0.key["error.type"] ?? "none", $0.value) })
        #expect(errors == ["503": 1, "connectionLost": 1, "none": 1])
        #expect(series.keys.first { $0["error.type"] == "connectionLost" }?["http.response.status_code"] == nil)
        let retries = metrics.counters(label: "swifty.retries")
        #expect(Set(retries.map { $0.dimensions.dictionary["error.type"] }) == ["503", "connectionLost"])
        #expect(retries.allSatisfy { $0.totalValue == 1 })
        #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
    }

    @Test("have one value for each request of an exchange: redirects and challenges, each with its server")
    func exchange() async throws {
        let (stub, store) = (StubTransport.redirected, try CredentialStore.ofRedirected())
        let swifty = swifty(stub) { $0.credentials = store }
        _ = try await swifty.api.get("x").load()
        let series = timers("http.client.request.duration").keys
        let found = Set(series.map { "\($0["server.address"] ?? "") \($0["http.response.status_code"] ?? "")" })
        #expect(found == ["api.example.com 302", "other.example.com 401", "other.example.com 200"])
        #expect(metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
    }

    @Test("are not of requests for what a mock or the cache has answered")
    func unsent() async throws {
        let headers: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "1"]
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: 200, headers: headers), content: Data("a".utf8))
        }
        let swifty = swifty(stub) { $0.responseCache = ResponseCache() }
        for _ in 0..<3 { _ = try await swifty.api.get("x").load() }
        _ = try await swifty.api.get("y").mock(data: Data()).load()
        #expect(timers("http.client.request.duration").values.reduce(0, +) == 1)
        let sources = metrics.timers(label: "swifty.load.duration").map { $0.dimensions.dictionary["swifty.source"] }
        #expect(Set(sources) == ["network", "cache", "mock"])
    }

    @Test("of a stream count it as active until its content has ended")
    func stream() async throws {
        let swifty = swifty(
            StubTransport { _ in
                TransportResponse(head: ResponseHead(statusCode: 200), content: Data("abc".utf8))
            }
        )
        let stream = try await swifty.api.get("x").stream()
        #expect(metrics.meters(label: "http.client.active_requests").first?.lastValue == 1)
        #expect(timers("http.client.request.duration").isEmpty)
        for try await _ in stream {}
        #expect(metrics.meters(label: "http.client.active_requests").first?.lastValue == 0)
        #expect(timers("http.client.request.duration").values.reduce(0, +) == 1)
    }

    @Test("of a cancelled load end its request")
    func cancellation() async throws {
        let stub = StubTransport { _ in
            try await hang()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub)
        let load = Task { try await swifty.api.get("x").load() }
        try await until { stub.requests.count == 1 }
        #expect(metrics.meters(label: "http.client.active_requests").first?.lastValue == 1)
        load.cancel()
        _ = await load.result
        #expect(metrics.meters(label: "http.client.active_requests").first?.lastValue == 0)
        #expect(timers("http.client.request.duration").keys.map { $0["error.type"] } == ["cancelled"])
    }

    @Test("have a bounded number of series, and never the path")
    func cardinality() async throws {
        let swifty = Swifty(transport: StubTransport()) { $0.use(.metrics(factory: metrics, maximumSeries: 9)) }
        for number in 0..<100 { _ = try await swifty.api.get("items/\(number)").load() }
        #expect(
            timers("http.client.request.duration") == [
                [
                    "http.request.method": "GET", "url.template": "items/{}", "server.address": "api.example.com",
                    "server.port": "443", "http.response.status_code": "200",
                ]: 100
            ]
        )
        for number in 0..<100 {
            _ = try await BaseResource("https://h\(number).example.com", networkInterface: swifty).get("x").load()
        }
        let series = timers("http.client.request.duration")
        #expect(series.count == 10)
        #expect(series.values.reduce(0, +) == 200)
        #expect(series[["otel.metric.overflow": "true"]] ?? 0 > 90)
    }

    @Test("are logged once when their series reach the limit")
    func overflow() async throws {
        let log = InMemoryLogHandler()
        let hook = HTTPClientMetrics(
            factory: metrics,
            maximumSeries: 2,
            logger: Logger(label: "test") { _ in log }
        )
        let swifty = Swifty(transport: StubTransport()) { $0.use(hook) }
        for number in 0..<2 {
            _ = try await BaseResource("https://h\(number).example.com", networkInterface: swifty).get("x").load()
        }
        #expect(log.entries.isEmpty)
        for number in 0..<20 {
            _ = try await BaseResource("https://h\(number).example.com", networkInterface: swifty).get("x").load()
        }
        let lines = log.entries.filter { "\($0.message)".contains("http.client.request.duration") }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.level == .warning && "\($0.message)".contains("its limit of 2") })
        #expect(Set(log.entries.map { "\($0.message)" }).count == log.entries.count)
    }

    @Test("of a request that was made from a whole URL have no template, since its path is that of one resource")
    func wholeURL() async throws {
        let swifty = swifty(StubTransport())
        let url = "https://api.example.com/items/17"
        let target = try #require(URL(string: url))
        _ = try await NetworkResource(url: target, method: "GET", networkInterface: swifty).load()
        _ = try await NetworkResource(curl: "curl \(url)", networkInterface: swifty).load()
        let series = timers("http.client.request.duration")
        #expect(series.values.reduce(0, +) == 2)
        #expect(series.keys.allSatisfy { $0["url.template"] == nil })
        #expect(!"\(series)".contains("17"))
    }

    @Test("tell how long loads waited for constraints and for admission")
    func waits() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub) {
            $0.admission.maximumLoads = 1
            $0.use(SignIn())
        }
        let loads = (0..<2).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { swifty.admissionStatistics.waiting == 1 }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(timers("swifty.queue.duration").values.reduce(0, +) == 1)
        let waits = timers("swifty.constraint.duration")
        #expect(waits.keys.map { $0["swifty.constraint"] } == ["SignIn"])
        #expect(waits.values.reduce(0, +) == 2)
    }

    @Test("tell the state of circuit breakers, and how many hooks were left behind")
    func states() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: StubTransport(status: 500)) {
            $0.use(.metrics(factory: metrics))
            $0.clock = clock
            $0.name = "stock"
            $0.admission.circuitBreaker = .init(failures: 2, openDuration: .seconds(30))
        }
        for _ in 0..<2 { _ = try? await swifty.api.get("x").load() }
        let circuit = try #require(metrics.meters(label: "swifty.circuit.state").first)
        #expect(
            circuit.dimensions.dictionary == [
                "swifty.instance": "stock", "swifty.origin": "https://api.example.com",
            ]
        )
        #expect(circuit.values == [2])
        await clock.advance(by: .seconds(31))
        #expect(circuit.values == [2], "time alone is no change")
        #expect(swifty.admissionStatistics.hosts["https://api.example.com"]?.circuit == .halfOpen)
        _ = try? await swifty.api.get("x").load()
        #expect(circuit.values == [2, 1, 2])
        await swifty.shutdown()
        #expect(circuit.values == [2, 1, 2, 0])
    }

    @Test("count the hooks that were left behind, until they return")
    func hooksLeftBehind() async throws {
        struct Slow: RequestInterceptor {
            let gate: Gate
            func intercept(resource: NetworkResource) async -> NetworkResource {
                await gate.wait()
                return resource
            }
        }
        let gate = Gate()
        let swifty = swifty(StubTransport()) { $0.use(Slow(gate: gate)) }
        let load = Task { try await swifty.api.get("x").load() }
        try await until { swifty.statistics.inFlight == 1 }
        load.cancel()
        _ = await load.result
        let meter = try #require(metrics.meters(label: "swifty.hooks.left_behind").first)
        #expect(meter.lastValue == 1)
        gate.open()
        try await until { meter.lastValue == 0 }
    }

    @Test("of a breaker survive an observer that cancels all loads")
    func reentrantObserver() async throws {
        final class Canceller: Swifty.StateObserver {
            let swifty = Recording<Swifty>()
            let changes = Recording<Swifty.StateChange>()
            func observe(_ change: Swifty.StateChange, of instance: Swifty.ObservedInstance) {
                changes.append(change)
                for swifty in swifty.values { swifty.cancelAllLoads() }
            }
        }
        let (canceller, gate) = (Canceller(), Gate())
        let stub = StubTransport { request in
            if request.target.path == "/hang" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 500), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.use(canceller, HangingHook(gate: gate))
            $0.admission.circuitBreaker = .init(failures: 1)
        }
        canceller.swifty.append(swifty)
        let held = Task { try await swifty.api.get("held").load() }
        try await until { swifty.statistics.inFlight == 1 }
        _ = try? await swifty.api.get("x").load()
        _ = await held.result
        gate.open()
        let opened = Swifty.StateChange.circuit(.open, origin: "https://api.example.com")
        try await until { canceller.changes.values.contains(.hooksLeftBehind(1)) }
        #expect(canceller.changes.values.contains(opened))
    }
}

@Suite("Metrics of connections", .timeLimit(.minutes(15)))
struct ConnectionMetricsTests {
    @Test("are the sums of all transports by origin, and zero when an instance has ended")
    func connections() async throws {
        let (metrics, clock) = (TestMetrics(), TestClock())
        let hook = HTTPClientMetrics(factory: metrics)
        let server = try LoopbackServer()
        var settings = TransportSettings()
        settings.connections.maximumAge = .seconds(3_600)
        let swifties = [1, 2].map { _ in
            Swifty(transport: settings) {
                $0.clock = clock
                $0.use(hook)
            }
        }
        for swifty in swifties { try await swifty.prewarm(server.url) }
        await clock.waitForSleepers(2)
        await clock.advance(by: .seconds(5))
        func idle() -> Double? {
            metrics.meters(label: "http.client.open_connections").first {
                $0.dimensions.dictionary["http.connection.state"] == "idle"
            }?.lastValue
        }
        try await until { idle() == 2 }
        let port = try #require(URL(string: server.url)?.port)
        let names = metrics.meters(label: "http.client.open_connections").map(\.dimensions.dictionary)
        #expect(names.allSatisfy { $0["server.address"] == "127.0.0.1" && $0["server.port"] == "\(port)" })
        await swifties[0].shutdown()
        #expect(idle() == 1)
        await swifties[1].shutdown()
        #expect(idle() == 0)
    }

    @Test("have the age of each that has ended, once")
    func durations() async throws {
        let (metrics, clock) = (TestMetrics(), TestClock())
        let response: [ScriptedServer.Step] = [.readRequest, .respond(200, [("Connection", "close")], content: "ok")]
        let server = try ScriptedServer(response)
        var settings = TransportSettings()
        settings.connections.maximumAge = .seconds(3_600)
        let swifty = Swifty(transport: settings) {
            $0.clock = clock
            $0.use(.metrics(factory: metrics))
        }
        for _ in 0..<3 { _ = try await BaseResource(server.url, networkInterface: swifty).get("x").load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        try await until { metrics.timers(label: "http.client.connection.duration").first?.values.count == 3 }
        let dimensions = metrics.timers(label: "http.client.connection.duration")[0].dimensions.dictionary
        #expect(dimensions["network.protocol.version"] == "1.1")
        await swifty.shutdown()
        #expect(metrics.timers(label: "http.client.connection.duration").count == 1)
    }
}

/// Holds the requests of one path.
private struct HangingHook: RequestInterceptor {
    let gate: Gate

    func intercept(resource: NetworkResource) async -> NetworkResource {
        if resource.draft.template == "held" { await gate.wait() }
        return resource
    }
}

/// A constraint that is satisfied once it was asked for.
actor SignIn: AsyncConstraint {
    private var isSignedIn = false

    func isSatisfied(for resource: NetworkResource) -> Bool { isSignedIn }
    func satisfy(for resource: NetworkResource) { isSignedIn = true }
}

extension Swifty {
    /// A base for requests to a server that is never contacted.
    var api: BaseResource { BaseResource("https://api.example.com", networkInterface: self) }
}

extension [(String, String)] {
    var dictionary: [String: String] { Dictionary(self) { $1 } }
}
#endif
