// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Adds a value to a header field, as a type that is made anew for each request.
private struct Order: RequestInterceptor, ResponseInterceptor, Swifty.Observer {
    let name: String
    let seen: Recording<String>

    func intercept(resource: NetworkResource) -> NetworkResource {
        resource.addHeader("X-Order", name)
    }

    func intercept(response: NetworkResponse) -> NetworkResponse {
        seen.append("response \(name)")
        return response
    }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        if case .finished = event { seen.append("end \(name)") }
    }
}

/// Loads the request that it is a hook of.
private struct Recursive: RequestInterceptor {
    let runs: Counter
    let request: @Sendable () -> NetworkResource

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        if runs.increment() < 40 { try await request().load() }
        return resource
    }
}

/// A constraint that is always satisfied.
private final class SatisfiedConstraint: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) -> Bool { true }
    func satisfy(for resource: NetworkResource) {}
}

private final class Ledger: WebServiceClient {
    let serverURL = "https://ledger.example.com"
    let networkInterface: any NetworkInterface
    let runs = Counter()
    let seen = Recording<String>()

    init(_ networkInterface: any NetworkInterface) {
        self.networkInterface = networkInterface
    }

    func configure(_ resource: NetworkResource) {
        resource.use(Order(name: "service", seen: seen))
    }

    func entries() -> NetworkResource { server.get("entries") }
    func recursive() -> NetworkResource {
        server.get("entries").use(Recursive(runs: runs) { [self] in recursive() })
    }
}

@Suite("The hooks of a request", .timeLimit(.minutes(15)))
struct RequestHookTests {
    @Test("run after those of the Swifty and of the service, and take part in no other load")
    func order() async throws {
        let (stub, seen) = (StubTransport(), Recording<String>())
        let ledger = Ledger(Swifty(transport: stub) { $0.use(Order(name: "swifty", seen: seen)) })
        let resource = ledger.entries().use(Order(name: "1", seen: seen), Order(name: "2", seen: seen))
        for each in [resource, resource.copy(), resource] { try await each.load() }
        try await ledger.entries().load()
        let own = ["swifty", "service", "1", "2"]
        #expect(stub.requests.map { $0.values(of: "X-Order") } == [own, own, own, ["swifty", "service"]])
        let all = own.filter { $0 != "service" }
        #expect(Array(seen.values.prefix(6)) == all.map { "response \($0)" } + all.map { "end \($0)" })
        #expect(seen.values.count == 3 * 6 + 2)
        #expect(ledger.seen.values.count == 4 * 2)
    }

    @Test("belong to a request, whichever Swifty loads it")
    func interfaces() async throws {
        let stubs = [StubTransport(), StubTransport()]
        let seen = Recording<String>()
        for stub in stubs {
            let swifty = Swifty(transport: stub) { $0.use(Order(name: "\(stub === stubs[0])", seen: seen)) }
            try await swifty.api.get("x").use([Order(name: "own", seen: seen)]).load()
        }
        #expect(stubs.map { $0.requests[0].values(of: "X-Order") } == [["true", "own"], ["false", "own"]])
    }

    @Test("do not run again in the loads that they make of their own request")
    func recursion() async throws {
        let stub = StubTransport()
        let ledger = Ledger(Swifty(transport: stub))
        try await ledger.recursive().load()
        #expect(ledger.runs.value == 1)
        #expect(stub.requests.count == 2)
        try await ledger.recursive().load()
        #expect(ledger.runs.value == 2)
    }

    @Test("are those of the beginning of the load: a hook that returns another resource adds none")
    func late() async throws {
        let (stub, seen) = (StubTransport(), Recording<String>())
        let adding = RequestHook { $0.use(Order(name: "late", seen: seen)) }
        try await Swifty(transport: stub).api.get("x").use(adding).load()
        #expect(stub.requests[0].values(of: "X-Order").isEmpty)
        #expect(seen.values.isEmpty)
    }

    @Test("have the load's scope, and its mocks")
    func scope() async throws {
        let seen = Recording<String>()
        let swifty = Swifty(transport: StubTransport(status: 500))
        let ledger = Ledger(swifty)
        try await withMocks(for: Ledger.self, [.get("entries"): .text("mocked")]) {
            let response = try await ledger.entries().use(Order(name: "own", seen: seen)).load()
            #expect(try response.text() == "mocked")
        }
        #expect(seen.values == ["response own", "end own"])
    }

    @Test("are kept by a response, and nothing of the Swifty with them")
    func lifetime() async throws {
        weak var transport: StubTransport?
        weak var hook: SatisfiedConstraint?
        func load(_ status: Int) async -> (NetworkResponse?, SwiftyError?) {
            let stub = StubTransport { _ in
                TransportResponse(head: ResponseHead(statusCode: status), content: Data())
            }
            let session = SatisfiedConstraint()
            (transport, hook) = (stub, session)
            let swifty = Swifty(transport: stub) { $0.use(session) }
            let resource = swifty.api.get("x").use(Order(name: "own", seen: Recording()))
            do throws(SwiftyError) {
                return (try await resource.load(), nil)
            } catch {
                return (nil, error)
            }
        }
        let response = await load(200)
        #expect(response.0?.request != nil)
        try await until { transport == nil && hook == nil }
        let failure = await load(404)
        #expect(failure.1?.code == .unacceptableStatus)
        try await until { transport == nil && hook == nil }
        withExtendedLifetime((response, failure)) {}
    }

    @Test("are groups as well: a key for one request alone")
    func group() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub)
        let key = APIKey("k", for: "https://api.example.com")
        try await swifty.api.get("x").use(key).load()
        try await swifty.api.get("y").load()
        #expect(stub.requests.map { $0.values(of: "X-API-Key") } == [["k"], []])
    }

    @Test("are explained with those of the Swifty")
    func explanation() async throws {
        let swifty = Swifty(transport: StubTransport())
        let text = try await swifty.api.get("x").use(Order(name: "own", seen: Recording())).explain().description
        #expect(text.contains("request interceptors: Order"))
        #expect(text.contains("response interceptors: Order"))
        let keys = AWSSignature.Credentials(accessKeyID: "a", secretAccessKey: "s")
        let signed = swifty.api.get("x").use(AWSSignature(region: "r", service: "s", credentials: keys))
        let stages = try await signed.use(DeniedHosts([])).hedging(.init(after: .seconds(1))).explain().description
        for stage in ["routers: DeniedHosts", "signers: AWSSignature", "hedging: after 1.0 seconds"] {
            #expect(stages.contains(stage))
        }
    }
}
