// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("Interceptors", .timeLimit(.minutes(15)))
struct InterceptorTests {
    struct Mine: Error {}

    private func adding(_ value: String) -> RequestHook {
        RequestHook { $0.addHeader("X-Order", value) }
    }

    @Test("of requests run in order, once per load, and never change the caller's resource")
    func order() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(adding("1"), adding("2"), adding("3")) }
        let resource = swifty.api.get("x").query(["a": 1])
        for _ in 0..<3 { _ = try await resource.load() }
        for request in stub.requests {
            #expect(request.values(of: "X-Order") == ["1", "2", "3"])
            #expect(request.target.query == "a=1")
        }
        #expect(resource.draft.headers.isEmpty)
    }

    @Test("of requests can send them with another method to another URL")
    func target() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(
                RequestHook { resource in
                    let path = resource.draft.target?.path ?? ""
                    return resource.method("POST").url("https://mirror.example.com/v2\(path)")
                }
            )
        }
        let resource = swifty.api.get("x").query("a", 1)
        let response = try await resource.load()
        #expect(stub.requests.map(\.target.string) == ["https://mirror.example.com/v2/x"])
        #expect(stub.requests.first?.method == .post)
        #expect(response.request?.target.host == "mirror.example.com")
        #expect(resource.draft.method == .get)
    }

    @Test(
        "of requests can remove header fields: of the request, of its content, of another interceptor, default ones"
    )
    func removal() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.defaultHeaders = [.userAgent: "app/1", .acceptLanguage: "de"]
            $0.sendsPriority = true
            $0.use(
                adding("1"),
                RequestHook { resource in
                    if !resource.hasTag("bare") { return resource }
                    for name in ["x-order", "X-Note", "Content-Type", "user-agent", "accept-encoding", "priority"] {
                        resource.removeHeader(name)
                    }
                    return resource
                },
            )
        }
        let resource = swifty.api.post("x").json(["a": 1]).header("X-Note", "n").priority(.high)
        _ = try await resource.load()
        _ = try await resource.copy().tag("bare").load()
        _ = try await resource.load()
        let names = stub.requests.map { $0.headers.map(\.name.canonicalName).sorted() }
        let all = ["accept-encoding", "accept-language", "content-type", "priority", "user-agent", "x-note", "x-order"]
        #expect(names == [all, ["accept-language"], all])
    }

    @Test("and constraints apply to copies of a resource as to the original, and not to mocks")
    func copies() async throws {
        let stub = StubTransport()
        let constraint = TestConstraint { $0.finish(with: Mine()) }
        let swifty = Swifty(transport: stub) {
            $0.use(constraint)
            $0.use(adding("1"))
        }
        let held = swifty.api.get("x")
        let free = held.copy().constraints(.none)
        let mocked = free.copy().mock(data: Data("mock".utf8))
        await #expect(throws: SwiftyError.self) { try await held.copy().load() }
        _ = try await free.copy().load()
        #expect(try await mocked.copy().load().string == "mock")
        await #expect(throws: SwiftyError.self) { try await held.load() }
        try #require(stub.requests.count == 1)
        #expect(stub.requests[0].values(of: "X-Order") == ["1"])
        #expect(constraint.flights == 2)
    }

    @Test("of requests may return another resource, and know whether content is allowed")
    func replace() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(
                RequestHook { resource in
                    (resource as? NetworkResourceWithBody)?.json(["n": 1]) ?? resource.header("X", "y")
                }
            )
        }
        _ = try await swifty.api.post("x").load()
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests[0].content.data == Data(#"{"n":1}"#.utf8))
        #expect(stub.requests[1].headers.first?.value == "y")
    }

    @Test("of requests that break the request or throw fail the load before anything is sent")
    func failures() async throws {
        let stub = StubTransport()
        let breaking = Swifty(transport: stub) {
            $0.use(RequestHook { $0.header("X", "a\r\nb") })
        }
        let error = await #expect(throws: SwiftyError.self) { try await breaking.api.get("x").load() }
        #expect(error?.code == .invalidHeader)
        let throwing = Swifty(transport: stub) { $0.use(RequestHook { _ in throw Mine() }) }
        let second = await #expect(throws: SwiftyError.self) { try await throwing.api.get("x").load() }
        #expect(second?.code == .interceptorFailed)
        #expect(second?.stage == .requestInterceptor)
        #expect(second?.underlying is Mine)
        #expect(stub.requests.isEmpty)
    }

    @Test("of responses see success, failure and mock, in order")
    func everyOutcome() async throws {
        let seen = Recording<String>()
        let hooks = ["a", "b"].map { name in
            ResponseHook { response in
                seen.append("\(name):\(response.error?.code.rawValue ?? "ok")")
                return response
            }
        }
        let stub = StubTransport { request in
            if request.template == "lost" { throw SwiftyError(.connectionLost, stage: .content, sent: .maybeSent) }
            return TransportResponse(
                head: ResponseHead(statusCode: request.template == "missing" ? 404 : 200),
                content: Data()
            )
        }
        let swifty = Swifty(transport: stub) { $0.use(hooks) }
        _ = try? await swifty.api.get("fine").load()
        _ = try? await swifty.api.get("missing").load()
        _ = try? await swifty.api.get("lost").load()
        _ = try? await swifty.api.get("x").mock(data: Data("m".utf8)).load()
        _ = try? await swifty.api.get("//broken").load()
        #expect(
            seen.values == [
                "a:ok", "b:ok", "a:unacceptableStatus", "b:unacceptableStatus", "a:connectionLost", "b:connectionLost",
                "a:ok", "b:ok", "a:invalidURL", "b:invalidURL",
            ]
        )
    }

    @Test("of responses see the measurements of the attempts")
    func metrics() async throws {
        let seen = Recording<String>()
        let hook = ResponseHook { response in
            let attempts = response.metrics.attempts
            seen.append("\(attempts.map { $0.statusCode ?? 0 }) \(attempts.last?.metrics.responseContentBytes ?? 0)")
            return response
        }
        let server = try LoopbackServer { server in
            server.route("GET", "/busy") { _ in LoopbackResponse.text("later", status: 503) }
            server.route("GET", "/fine") { _ in LoopbackResponse.text("0123456789") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty { $0.use(hook) })
        _ = try await base.get("fine").load()
        _ = try? await base.get("busy").retry(2).load()
        #expect(seen.values == ["[200] 10", "[503, 503] 5"])
    }

    private struct Screen: Sendable, Equatable { var name: String }

    /// Notes what each hook sees of the request as it was written.
    private func watch(_ seen: Recording<String>) -> [any Swifty.Hook] {
        @Sendable func text(_ draft: RequestDraft?) -> String {
            "\(draft?.name ?? "-") \(draft?.tags.sorted() ?? []) \(draft?.context(Screen.self)?.name ?? "-")"
        }
        return [
            RequestHook { resource in
                seen.append("request \(text(resource.draft))")
                return resource
            },
            ResponseHook { response in
                seen.append("response \(text(response.draft))")
                return response
            },
            EventNames { event, load in
                guard case .finished(let response) = event else { return nil }
                seen.append("end \(text(load.draft)) \(text(response.draft))")
                return nil
            },
        ]
    }

    @Test("see the name, the tags and the context of the request in every outcome, mocked or not, whole or streamed")
    func context() async throws {
        let seen = Recording<String>()
        let stub = StubTransport { request in
            if request.template == "lost" { throw SwiftyError(.connectionLost, stage: .content, sent: .maybeSent) }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("x".utf8))
        }
        let swifty = Swifty(transport: stub) { $0.use(watch(seen)) }
        func resource(_ path: RequestPath) -> NetworkResource {
            swifty.api.get(path).name("n").tag("t").context(Screen(name: "list"))
        }
        let facts = #"n ["t"] list"#
        let end = "end \(facts) \(facts)"
        #expect(try await resource("x").load().draft?.context(Screen.self) == Screen(name: "list"))
        #expect(seen.take() == ["request \(facts)", "response \(facts)", end])
        _ = try? await resource("lost").load()
        #expect(seen.take() == ["request \(facts)", "response \(facts)", end])
        _ = try await resource("x").mock(data: Data("m".utf8)).load()
        #expect(seen.take() == ["response \(facts)", end])
        try await resource("x").discard()
        #expect(seen.take().last == end)
        #expect(swifty.api.get("x").context(1).context("a").context(2).draft.context(Int.self) == 2)
        #expect(swifty.api.get("x").draft.context(Int.self) == nil)
    }

    private struct Answer: Codable, Sendable { var id: Int }

    @Test("of responses decide for every form of load, including typed ones")
    func honoured() async throws {
        let failing = Swifty(transport: StubTransport(content: #"{"id":1}"#)) {
            $0.use(
                ResponseHook {
                    $0.fail(error: Mine())
                    return $0
                }
            )
        }
        for load in [
            { try await failing.api.get("x").load(Answer.self) },
            { try await failing.api.get("x").decode(Answer.self).load() },
        ] {
            let error = await #expect(throws: SwiftyError.self) { try await load() }
            #expect(error?.underlying is Mine)
            #expect(error?.content == Data(#"{"id":1}"#.utf8))
        }
        let json = await withCheckedContinuation { continuation in
            failing.api.get("x").loadJSON(
                successBlock: { _ in continuation.resume(returning: "succeeded") },
                failureBlock: { continuation.resume(returning: "\($0.code)") }
            )
        }
        #expect(json == "interceptorFailed")
        let decrypting = Swifty(transport: StubTransport(status: 500, content: "encrypted")) {
            $0.use(
                ResponseHook {
                    $0.succeed(data: Data(#"{"id":7}"#.utf8))
                    return $0
                }
            )
        }
        #expect(try await decrypting.api.get("x").load(Answer.self).id == 7)
    }

    @Test("of responses that throw fail the load, and the ones after them still run")
    func throwing() async throws {
        let swifty = Swifty(transport: StubTransport()) {
            $0.use(
                ResponseHook { _ in throw Mine() },
                ResponseHook { response in
                    if response.error?.underlying is Mine { response.succeed(data: Data("rescued".utf8)) }
                    return response
                },
            )
        }
        #expect(try await swifty.api.get("x").load().string == "rescued")
    }
}
