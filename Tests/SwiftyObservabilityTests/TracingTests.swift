// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Dispatch
import Foundation
import InMemoryTracing
import Swifty
import SwiftyObservability
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing
import Tracing

@Suite("Traces", .timeLimit(.minutes(15)))
struct TracingTests {
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    private func swifty(
        _ transport: any Transport = StubTransport(),
        configure: (inout Swifty.Configuration) -> Void = { _ in }
    ) -> Swifty {
        Swifty(transport: transport) {
            $0.use(.tracing(tracer: tracer))
            configure(&$0)
        }
    }

    private var spans: [FinishedInMemorySpan] { tracer.finishedSpans }

    /// Runs a block in a span of the caller, and returns the identifier of that span.
    @discardableResult
    private func inCallerSpan(_ body: () async throws -> Void) async throws -> String {
        try await tracer.withSpan("caller") { span in
            try await body()
            return span.spanID
        }
    }

    /// The spans of requests and loads, in the order of their ends.
    private var loadSpans: [FinishedInMemorySpan] { spans.filter { $0.operationName != "caller" } }

    @Test("have one span of the kind client for a request, with OpenTelemetry's attributes")
    func request() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty { $0.use(.tracing(tracer: tracer)) }
        let base = BaseResource(server.url, networkInterface: swifty)
        let caller = try await inCallerSpan {
            _ = try await base.get("bytes/\(7)").query(["token": "canary"]).load()
        }
        let span = try #require(loadSpans.first)
        #expect(loadSpans.count == 1)
        #expect(span.operationName == "GET bytes/{}")
        #expect(span.kind == .client)
        #expect(span.parentSpanID == caller)
        #expect(span.status == nil)
        let port = try #require(URL(string: server.url)?.port)
        #expect(
            span.attributes.texts == [
                "http.request.method": "GET", "url.template": "bytes/{}", "server.address": "127.0.0.1",
                "server.port": "\(port)", "url.full": "\(server.url)/bytes/7?token=REDACTED",
                "http.response.status_code": "200", "network.protocol.version": "1.1",
                "network.peer.address": "127.0.0.1", "network.peer.port": "\(port)",
                "http.response.body.size": "7",
            ]
        )
        let phases = span.events.map(\.name)
        #expect(phases.contains("swifty.first_byte"))
        #expect(phases.contains("swifty.connect"))
        for event in span.events {
            #expect(event.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch)
            #expect(event.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch + 1_000_000_000)
        }
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("are named after the method, and the name of the request, if the request has no path of its own")
    func emptyPath() async throws {
        let swifty = swifty()
        _ = try await swifty.api.get("").load()
        _ = try await swifty.api.get("").name("root").load()
        #expect(loadSpans.map(\.operationName) == ["GET", "GET root"])
        #expect(loadSpans.map { $0.attributes.texts["url.template"] } == [nil, nil])
    }

    @Test("have the method as it is sent beside _OTHER, if the conventions do not know it")
    func otherMethod() async throws {
        let swifty = swifty()
        _ = try await swifty.api.request("PURGE", "x").load()
        let span = try #require(loadSpans.first)
        #expect(span.operationName == "HTTP x")
        #expect(span.attributes.texts["http.request.method"] == "_OTHER")
        #expect(span.attributes.texts["http.request.method_original"] == "PURGE")
    }

    @Test("have the size of the content that is sent")
    func requestSize() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty { $0.use(.tracing(tracer: tracer)) }
        _ = try await BaseResource(server.url, networkInterface: swifty).post("post").data(Data(count: 42)).load()
        #expect(loadSpans.first?.attributes.texts["http.request.body.size"] == "42")
    }

    @Test("tell the server about the span of the request itself, and not about its caller's")
    func injection() async throws {
        let stub = StubTransport()
        try await inCallerSpan { _ = try await swifty(stub).api.get("x").load() }
        let span = try #require(loadSpans.first)
        let sent = try #require(stub.requests.first?.headers)
        #expect(sent.text(InMemoryTracer.spanIDKey) == span.spanID)
        #expect(sent.text(InMemoryTracer.traceIDKey) == span.traceID)
    }

    @Test("have a span for each attempt under one for the load, if it may be repeated")
    func retries() async throws {
        let calls = Counter()
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: calls.increment() == 1 ? 503 : 200), content: Data())
        }
        let swifty = swifty(stub) { $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none) }
        let caller = try await inCallerSpan { _ = try await swifty.api.get("x").load() }
        try #require(loadSpans.count == 3)
        let (first, second, load) = (loadSpans[0], loadSpans[1], loadSpans[2])
        #expect(load.kind == .internal)
        #expect(load.parentSpanID == caller)
        #expect(load.status == nil)
        #expect(load.attributes.texts["swifty.attempts"] == "2")
        #expect([first, second].map(\.parentSpanID) == [load.spanID, load.spanID])
        #expect([first, second].map(\.kind) == [.client, .client])
        #expect(first.status?.code == .error)
        #expect(first.attributes.texts["error.type"] == "503")
        #expect(first.attributes.texts["http.request.resend_count"] == nil)
        #expect(second.attributes.texts["http.request.resend_count"] == "1")
        #expect(second.status == nil)
        #expect(stub.requests.map { $0.headers.text(InMemoryTracer.spanIDKey) } == [first.spanID, second.spanID])
    }

    @Test("have a span for each request of a redirect and of a challenge, under one parent")
    func exchange() async throws {
        let (stub, store) = (StubTransport.redirected, try CredentialStore.ofRedirected())
        let swifty = swifty(stub) { $0.credentials = store }
        let caller = try await inCallerSpan { _ = try await swifty.api.get("x").load() }
        #expect(loadSpans.map { $0.attributes.texts["http.response.status_code"] } == ["302", "401", "200"])
        #expect(loadSpans.map { $0.attributes.texts["http.request.resend_count"] } == [nil, "1", "2"])
        #expect(
            loadSpans.map { $0.attributes.texts["server.address"] } == [
                "api.example.com", "other.example.com", "other.example.com",
            ]
        )
        #expect(loadSpans.allSatisfy { $0.parentSpanID == caller })
        #expect(loadSpans.map(\.status?.code) == [nil, .error, nil])
        #expect(!"\(spans)".contains("canary"))
        #expect(stub.requests.map { $0.headers.text(InMemoryTracer.spanIDKey) } == [loadSpans.first?.spanID, nil, nil])
    }

    @Test("of a failed load have the type of its error, also if no request was sent")
    func failures() async throws {
        let lost = StubTransport { _ in throw SwiftyError(.connectionLost, stage: .content, reason: "cut") }
        _ = try? await swifty(lost).api.get("x").load()
        _ = try? await swifty().api.get("x").header("X", "a\r\nb").load()
        #expect(loadSpans.map { $0.attributes.texts["error.type"] } == ["connectionLost", "invalidHeader"])
        #expect(loadSpans.allSatisfy { $0.status?.code == .error && $0.kind == .client })
        #expect(loadSpans[1].status?.message?.contains("failed (invalidHeader, building)") == true)
    }

    @Test("of a cancelled load end without an error")
    func cancellation() async throws {
        let stub = StubTransport { _ in
            try await hang()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub) { $0.retry = .standard }
        let load = Task { try await swifty.api.get("x").load() }
        try await until { stub.requests.count == 1 }
        load.cancel()
        _ = await load.result
        #expect(loadSpans.count == 2)
        #expect(loadSpans.allSatisfy { $0.status == nil && $0.attributes.texts["error.type"] == "cancelled" })
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("have the waits for constraints and for admission as events, with their durations")
    func waits() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub) {
            $0.admission.maximumLoads = 1
            $0.use(SlowSignIn())
        }
        let loads = (0..<2).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { swifty.admissionStatistics.waiting == 1 }
        gate.open()
        for load in loads { _ = try await load.value }
        let names = loadSpans.map { $0.events.map(\.name).filter { !$0.hasPrefix("swifty.first") } }
        // The second load may come when the first one has signed in.
        #expect(names.contains { $0.contains("swifty.constraints") })
        #expect(names.count { $0.contains("swifty.queue") } == 1)
        for event in loadSpans.flatMap(\.events) { #expect(event.attributes.texts["swifty.duration"] != nil) }
    }

    private actor SlowSignIn: AsyncConstraint {
        private var isSatisfied = false

        func isSatisfied(for resource: NetworkResource) -> Bool { isSatisfied }

        func satisfy(for resource: NetworkResource) async throws {
            try await Task.sleep(for: .milliseconds(5))
            isSatisfied = true
        }
    }

    private final class SignedIn: Constraint, @unchecked Sendable {
        override func isKnownSatisfied(for resource: NetworkResource) -> Bool { true }
    }

    @Test("have no event for constraints that hold no load")
    func satisfiedConstraint() async throws {
        let swifty = swifty(StubTransport()) { $0.use(SignedIn()) }
        let response = try await swifty.api.get("x").load()
        #expect(response.metrics.constraintWaits.map(\.name) == ["SignedIn"])
        #expect(loadSpans.count == 1)
        #expect(loadSpans.allSatisfy { $0.events.allSatisfy { $0.name != "swifty.constraints" } })
    }

    @Test("of a stream end with its content")
    func stream() async throws {
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: 200), content: Data("abc".utf8))
        }
        let swifty = swifty(stub)
        let caller = try await inCallerSpan {
            let stream = try await swifty.api.get("x").stream()
            #expect(loadSpans.isEmpty)
            for try await _ in stream {}
            #expect(loadSpans.count == 1)
        }
        #expect(loadSpans.first?.parentSpanID == caller)
    }

    @Test("have the caller's span as the parent over closures, downloads and hops to Dispatch queues")
    func parents() async throws {
        let swifty = swifty()
        let folder = try TemporaryFolder()
        let caller = try await inCallerSpan {
            await withCheckedContinuation { continuation in
                swifty.api.get("closure").load { _ in continuation.resume() }
            }
            await withCheckedContinuation { continuation in
                let context = ServiceContext.current
                DispatchQueue.global().async {
                    ServiceContext.$current.withValue(context) {
                        _ = swifty.api.get("hop").deliver(on: .global()).load { _ in continuation.resume() }
                    }
                }
            }
            _ = try await swifty.api.get("download").download(to: folder.path("file"))
        }
        #expect(loadSpans.map(\.operationName) == ["GET closure", "GET hop", "GET download"])
        #expect(loadSpans.allSatisfy { $0.parentSpanID == caller })
    }

    @Test("are not of what a mock or the cache has answered")
    func unsent() async throws {
        let stub = StubTransport { _ in
            let headers: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "1"]
            return TransportResponse(head: ResponseHead(statusCode: 200, headers: headers), content: Data("a".utf8))
        }
        let swifty = swifty(stub) { $0.responseCache = ResponseCache() }
        for _ in 0..<3 { _ = try await swifty.api.get("x").load() }
        _ = try await swifty.api.get("y").mock(data: Data()).load()
        #expect(loadSpans.map(\.operationName) == ["GET x"])
    }

    @Test("of a request that a challenge follows end with its response, whatever becomes of the challenge")
    func failedChallenge() async throws {
        struct Handler: AuthenticationChallenge.Handler {
            func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
                throw SwiftyError(.connectionLost, stage: .head, reason: "no login")
            }
        }
        let stub = StubTransport(status: 401, headers: [.wwwAuthenticate: #"Basic realm="r""#])
        _ = try? await swifty(stub) { $0.use(Handler()) }.api.get("x").load()
        #expect(loadSpans.map { $0.attributes.texts["error.type"] } == ["401"])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("of a hedged load are one, which begins when its first request is sent; none of a refused one is a success")
    func hedging() async throws {
        let calls = Counter()
        let gate = Gate()
        let stub = StubTransport { _ in
            if calls.increment() == 1 { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub) { $0.hedging = HedgingPolicy(after: .milliseconds(20)) }
        _ = try await swifty.api.get("x").load()
        gate.open()
        #expect(loadSpans.count == 1)
        #expect(Set(stub.requests.map { $0.headers.text(InMemoryTracer.spanIDKey) }) == [loadSpans.first?.spanID])
        let failing = self.swifty(StubTransport(status: 500)) {
            $0.hedging = HedgingPolicy(after: .seconds(60))
            $0.admission.circuitBreaker = .init(failures: 1)
        }
        tracer.clearFinishedSpans()
        for _ in 0..<2 { _ = try? await failing.api.get("x").load() }
        #expect(loadSpans.map { $0.attributes.texts["error.type"] } == ["500", "circuitOpen"])
    }

    @Test("of loads that share a transfer are one for each load; the server is told about the first one")
    func coalescing() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("a".utf8))
        }
        let swifty = swifty(stub) {
            $0.coalesces = true
            $0.coalescing.ignoredFields.formUnion(
                [InMemoryTracer.spanIDKey, InMemoryTracer.traceIDKey].compactMap { HTTPField.Name($0) }
            )
        }
        let loads = (0..<3).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { tracer.activeSpans.count == 3 }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(stub.requests.count == 1)
        #expect(loadSpans.count == 3)
        #expect(loadSpans.map(\.spanID).contains(stub.requests.first?.headers.text(InMemoryTracer.spanIDKey) ?? ""))
    }
}

extension HTTPFields {
    func text(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}

extension SpanAttributes {
    /// All attributes as text.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        forEach { key, value in
            switch value {
            case .string(let text): texts[key] = text
            case .int64(let number): texts[key] = "\(number)"
            case .int32(let number): texts[key] = "\(number)"
            case .double(let number): texts[key] = "\(number)"
            default: texts[key] = "\(value)"
            }
        }
        return texts
    }
}
#endif
