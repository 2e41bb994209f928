// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyInspector
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("An inspector", .timeLimit(.minutes(15)))
struct InspectorTests {
    private let inspector = Inspector()

    private func api(_ stub: StubTransport) -> BaseResource {
        BaseResource("https://api.example.com", networkInterface: Swifty(transport: stub) { $0.use(inspector) })
    }

    /// The only load that the inspector has seen, once it has ended.
    private func onlyLoad() async throws -> InspectedLoad {
        await inspector.flush()
        #expect(inspector.loads.count == 1)
        return try #require(inspector.loads.first)
    }

    @Test("shows what was sent and received, and what hooks and defaults have added")
    func load() async throws {
        struct Trace: RequestInterceptor {
            func intercept(resource: NetworkResource) -> NetworkResource { resource.header("X-Trace", "7") }
        }
        let stub = StubTransport(headers: [.contentType: "application/json"], content: #"{"a":[1]}"#)
        let swifty = Swifty(transport: stub) {
            $0.use(inspector)
            $0.use(Trace())
        }
        let base = BaseResource("https://api.example.com", networkInterface: swifty)
        let user = "ada"
        _ = try await base.post("users/\(user)").query("page", 2).header("X-Own", "1").json(["b": 2]).tag("sign-up")
            .load()
        let load = try await onlyLoad()
        #expect(load.method == "POST")
        #expect(load.url == "https://api.example.com/users/ada?page=2")
        #expect(load.template == "users/{}")
        #expect(load.tags == ["sign-up"])
        let outcome = try #require(load.outcome)
        #expect(outcome.status == 200)
        #expect(outcome.error == nil)
        #expect(outcome.source == "network")
        #expect(outcome.attempts.count == 1)
        #expect(outcome.request?.startLine == "POST https://api.example.com/users/ada?page=2")
        #expect(outcome.request?.content == #"{"b":2}"#)
        #expect(outcome.response?.startLine == "HTTP/1.1 200")
        #expect(outcome.response?.content == #"{"a":[1]}"#)
        #expect(outcome.response?.contentBytes == 9)
        #expect(outcome.addedFields.contains("X-Trace"))
        #expect(!outcome.addedFields.contains("X-Own"))
        #expect(load.events.map(\.text).contains("attempt 1 begins"))
        #expect(zip(load.events, load.events.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("has no secrets, wherever a load has them")
    func secrets() async throws {
        let stub = StubTransport { request in
            let echo = #"{"access_token":"canary-1","note":"canary-2"}"#
            let headers: HTTPFields = [.setCookie: "id=canary-3", .contentType: "application/json"]
            return TransportResponse(head: ResponseHead(statusCode: 401, headers: headers), content: Data(echo.utf8))
        }
        let base = api(stub)
        await #expect(throws: SwiftyError.self) {
            try await base.post("login").query("token", "canary-4").header(.authorization, "Bearer canary-5")
                .header(.cookie, "id=canary-6").secret("canary-2").json(["password": "canary-7"]).load()
        }
        let load = try await onlyLoad()
        #expect(load.outcome?.errorCode == "unacceptableStatus")
        let text = String(decoding: try JSONEncoder().encode(load), as: UTF8.self)
        #expect(!text.contains("canary"))
        #expect(text.contains("REDACTED"))
        #expect(!String(decoding: inspector.har(), as: UTF8.self).contains("canary"))
    }

    @Test("has no secrets in a media type, nor between the zeros of UTF-16")
    func hiddenSecrets() async throws {
        let text = Data(Array(#"{"password":"canary-1"}"#.utf8).flatMap { [0, $0] })
        let stub = StubTransport { _ in
            let headers: HTTPFields = [.contentType: "application/json; note=canary-2"]
            return TransportResponse(head: ResponseHead(statusCode: 200, headers: headers), content: text)
        }
        _ = try await api(stub).get("x").secret("canary-2").load()
        let load = try await onlyLoad()
        #expect(load.outcome?.response?.content == nil)
        #expect(load.outcome?.response?.contentBytes == text.count)
        for content in [
            String(decoding: try JSONEncoder().encode(load), as: UTF8.self),
            String(decoding: inspector.har(), as: UTF8.self),
        ] {
            #expect(!content.contains("canary") && !content.contains("c\0a"))
        }
    }

    @Test("shows retries, redirects, constraints and failures as events and attempts")
    func events() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/a") { _ in .text("to b", status: 302).header("Location", "/b") }
        let count = Counter()
        server.route("GET", "/b") { _ in .text("b", status: count.increment() == 1 ? 503 : 200) }
        let swifty = Swifty {
            $0.use(inspector)
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        }
        _ = try? await BaseResource(server.url, networkInterface: swifty).get("a").load()
        let load = try await onlyLoad()
        let texts = load.events.map(\.text)
        #expect(texts.contains("redirected with 302 to \(server.url)/b"))
        #expect(texts.contains("another attempt after 0 ms"))
        #expect(load.outcome?.attempts.count == 2)
        #expect(load.outcome?.attempts.last?.peer == "127.0.0.1:\(server.port)")
        await #expect(throws: SwiftyError.self) {
            try await BaseResource("http://127.0.0.1:1", networkInterface: swifty).get("x").load()
        }
        await inspector.flush()
        #expect(inspector.loads.first?.outcome?.errorCode == "connectionFailed")
        #expect(inspector.loads.first?.outcome?.response == nil)
    }

    @Test("shows a load from its beginning, and streams without their content")
    func running() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let stub = StubTransport { _ in
            arrived.open()
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("x".utf8))
        }
        let base = api(stub)
        async let response = base.get("slow").load()
        try await until { arrived.isOpen }
        #expect(inspector.loads.first?.outcome == nil)
        #expect(inspector.loads.first?.url == "https://api.example.com/slow")
        gate.open()
        _ = try await response
        #expect(try await base.get("stream").stream().collect(limit: 9) == Data("x".utf8))
        await inspector.flush()
        #expect(inspector.loads.count == 2)
        #expect(inspector.loads.allSatisfy { $0.outcome?.status == 200 })
        #expect(inspector.loads.first?.outcome?.response?.content == nil)
        #expect(inspector.loads.first?.outcome?.response?.contentBytes == 1)
    }

    @Test("keeps a limited number of loads and bytes, and no content beyond its limit")
    func limits() async throws {
        var limits = Inspector.Limits()
        (limits.loads, limits.contentBytes) = (10, 100)
        let inspector = Inspector(limits: limits)
        let stub = StubTransport { request in
            let count = request.target.path == "/large" ? 101 : 100
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(repeating: 120, count: count))
        }
        let base = BaseResource("https://a.example", networkInterface: Swifty(transport: stub) { $0.use(inspector) })
        for number in 0..<20 { _ = try await base.get("\(number)").load() }
        _ = try await base.get("large").load()
        await inspector.flush()
        #expect(inspector.loads.count == 10)
        #expect(inspector.loads.map(\.number) == Array((12...21).reversed()))
        #expect(inspector.loads[0].outcome?.response?.content == nil)
        #expect(inspector.loads[0].outcome?.response?.contentBytes == 101)
        #expect(inspector.loads[1].outcome?.response?.content?.count == 100)
        var small = Inspector.Limits()
        (small.bytes, small.loads) = (3_000, .max)
        let tiny = Inspector(limits: small)
        let other = BaseResource("https://a.example", networkInterface: Swifty(transport: stub) { $0.use(tiny) })
        for number in 0..<20 { _ = try await other.get("\(number)").load() }
        await tiny.flush()
        #expect((1..<10).contains(tiny.loads.count))
        #expect(tiny.loads.first?.number == 20)
    }

    @Test("can be paused and cleared, also while loads run")
    func control() async throws {
        let base = api(StubTransport(content: "x"))
        _ = try await base.get("1").load()
        inspector.isPaused = true
        _ = try await base.get("2").load()
        inspector.isPaused = false
        _ = try await base.get("3").load()
        await inspector.flush()
        #expect(inspector.loads.map(\.url) == ["https://api.example.com/3", "https://api.example.com/1"])
        try await withThrowingTaskGroup { group in
            for number in 0..<50 { group.addTask { _ = try await base.get("\(number)").load() } }
            inspector.clear()
            try await group.waitForAll()
        }
        await inspector.flush()
        #expect(inspector.loads.count <= 50)
        #expect(inspector.loads.allSatisfy { $0.outcome != nil })
    }

    @Test("tells the loads of instances apart that have the same configuration", arguments: [true, false])
    func instances(haveOneConfiguration: Bool) async throws {
        let (arrived, gate) = (Counter(), Gate())
        let stub = StubTransport { request in
            arrived.increment()
            await gate.wait()
            let status = request.target.path == "/1" ? 200 : 201
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data())
        }
        var configuration = Swifty.Configuration()
        configuration.use(inspector)
        try await withThrowingTaskGroup { group in
            for number in 1...2 {
                if !haveOneConfiguration {
                    configuration = Swifty.Configuration()
                    configuration.use(inspector)
                }
                let swifty = Swifty(configuration: configuration, transport: stub)
                let base = BaseResource("https://api.example.com", networkInterface: swifty)
                group.addTask { _ = try await base.get("\(number)").tag("\(number)").load() }
                try await until { arrived.value == number }
            }
            gate.open()
            try await group.waitForAll()
        }
        await inspector.flush()
        let loads = inspector.loads
        #expect(loads.map(\.url) == ["https://api.example.com/2", "https://api.example.com/1"])
        #expect(loads.map(\.outcome?.status) == [201, 200])
        #expect(loads.map(\.outcome?.request?.startLine) == loads.map { "GET \($0.url)" })
        #expect(loads.allSatisfy { $0.events.count == loads[0].events.count })
        #expect(loads[0].instance > loads[1].instance)
    }

    @Test("records a load once that it watches twice, with the number of its instance")
    func twice() async throws {
        let stub = StubTransport(content: "x")
        let base = api(stub)
        _ = try await base.get("1").load()
        _ = try await base.get("2").use(inspector).load()
        _ = try await base.get("3").use(inspector).use(inspector).load()
        await inspector.flush()
        #expect(inspector.loads.map(\.url.last) == ["3", "2", "1"])
        #expect(Set(inspector.loads.map(\.instance)).count == 1)
        #expect(inspector.loads.allSatisfy { $0.events.map(\.text) == inspector.loads[0].events.map(\.text) })
        #expect(inspector.loads.allSatisfy { $0.outcome?.status == 200 })
    }

    @Test("keeps its size, whatever the loads have much of")
    func sizes() async throws {
        let (long, count) = (String(repeating: "x", count: 2_000), 40)
        let server = try LoopbackServer()
        server.route("GET", "/moved") { _ in .text("", status: 302).header("Location", "/moved?\(long)") }
        var limits = Inspector.Limits()
        limits.bytes = 100_000
        let inspector = Inspector(limits: limits)
        let swifty = Swifty { $0.use(inspector) }
        let base = BaseResource(server.url, networkInterface: swifty)
        for number in 0..<count {
            _ = try? await base.get("moved").load()
            _ = try await base.get("status/200").tag("\(number)\(long)").load()
            _ = try? await BaseResource("http://127.0.0.1:1", networkInterface: swifty).get("\(long)").load()
        }
        await inspector.flush()
        let encoded = try JSONEncoder().encode(inspector.loads)
        #expect(encoded.count < 200_000)
        #expect(inspector.loads.count < count)
        #expect(!inspector.loads.isEmpty)
    }

    @Test("is a hook of a single request, and shows what a cache has answered")
    func request() async throws {
        let stub = StubTransport(headers: [.cacheControl: "max-age=60", .contentLength: "1"], content: "x")
        let swifty = Swifty(transport: stub) { $0.responseCache = ResponseCache() }
        let base = BaseResource("https://api.example.com", networkInterface: swifty)
        _ = try await base.get("x").load()
        _ = try await base.get("x").use(inspector).load()
        let load = try await onlyLoad()
        #expect(load.outcome?.source == "cache")
        #expect(load.outcome?.attempts.isEmpty == true)
        #expect(load.events.map(\.text).contains("answered by the cache (cache)"))
    }
}
