// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Two services whose own transports count what reaches them.
private enum Network {
    static let shop = StubTransport(content: "network")
    static let bank = StubTransport(content: "network")
}

private final class Shop: WebService {
    static let serverURL = "https://shop.example"
    static let networkInterface: any NetworkInterface = Swifty(transport: Network.shop) {
        $0.retry = RetryPolicy(backoff: .none)
        $0.use(RequestHook { $0.header("X-Hook", "1") })
        $0.use(
            ResponseHook { response in
                if response.head?["X-Fail"] != nil {
                    response.fail(error: SwiftyError(.malformedResponse, stage: .content))
                }
                return response
            }
        )
    }

    static func item(_ number: Int) -> NetworkResource { server.get("items/{number}", ["number": number]) }
}

private final class Bank: WebService {
    static let serverURL = "https://bank.example"
    static let networkInterface: any NetworkInterface = Swifty(transport: Network.bank)

    static func balance() -> NetworkResource { server.get("balance") }
}

/// An interface that is not a `Swifty`.
private struct OtherInterface: NetworkInterface {
    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("other".utf8))
    }
}

@Suite("A scope", .timeLimit(.minutes(15)))
struct NetworkScopeTests {
    private func text(_ resource: NetworkResource) async throws -> String? { try await resource.load().text() }

    /// A closure whose only `try` is within `#expect` counts as one that does not throw.
    private func expect(_ resource: NetworkResource, _ text: String) async throws {
        #expect(try await resource.load().string == text)
    }

    @Test("replaces the transport of one service, below its interceptors and retries")
    func transport() async throws {
        let count = Counter()
        let stub = StubTransport { _ in
            let status = count.increment() < 3 ? 503 : 200
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data("scoped".utf8))
        }
        try await withTransport(stub, for: Shop.self) {
            let response = try await Shop.item(1).load()
            #expect(response.string == "scoped")
            #expect(response.metrics.attempts.count == 3)
            try await expect(Bank.balance(), "network")
        }
        #expect(stub.requests.count == 3)
        #expect(stub.requests.allSatisfy { $0.values(of: "X-Hook") == ["1"] })
        #expect(stub.requests.allSatisfy { $0.template == "items/{number}" })
        #expect(!Network.shop.requests.contains { $0.target.path == "/items/1" })
        try await expect(Shop.item(1), "network")
    }

    @Test("replaces the interface of one service, or of all")
    func interface() async throws {
        let tenant = Swifty(transport: StubTransport(content: "tenant"))
        try await withNetworkInterface(tenant, for: Shop.self) {
            try await expect(Shop.item(2), "tenant")
            try await expect(Bank.balance(), "network")
        }
        try await withNetworkInterface(OtherInterface()) {
            try await expect(Shop.item(2), "other")
            try await expect(Bank.balance(), "other")
            try await expect(BaseResource("https://c.example", networkInterface: tenant).get(), "other")
        }
    }

    @Test("inside of another one is asked first")
    func nested() async throws {
        try await withTransport(StubTransport(content: "outer")) {
            try await withTransport(StubTransport(content: "inner"), for: Shop.self) {
                try await expect(Shop.item(3), "inner")
                try await expect(Bank.balance(), "outer")
                try await withNetworkInterface(Bank.networkInterface, for: Bank.self) {
                    try await expect(Bank.balance(), "network")
                    try await expect(Shop.item(3), "inner")
                }
            }
            try await expect(Shop.item(3), "outer")
        }
    }

    @Test("refuses the transport of an interface that has none, and sends nothing")
    func otherInterface() async throws {
        let resource = BaseResource("https://c.example", networkInterface: OtherInterface()).get("x")
        await withTransport(StubTransport()) {
            let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
            #expect(error?.code == .mockUnavailable)
            #expect(error?.reason.contains("OtherInterface") == true, "\(error?.reason ?? "")")
            #expect(error?.request?.url == "https://c.example/x")
            let streamed = await #expect(throws: SwiftyError.self) { try await resource.stream() }
            #expect(streamed?.code == .mockUnavailable)
        }
        try await expect(resource, "other")
    }

    @Test("holds for every form of load")
    func forms() async throws {
        let folder = try TemporaryFolder()
        try await withTransport(StubTransport(content: "[1]"), for: Shop.self) {
            #expect(try await Shop.item(4).load([Int].self) == [1])
            #expect(try await Shop.item(4).decode([Int].self).load() == [1])
            var streamed = Data()
            for try await part in try await Shop.item(4).stream() { streamed += part }
            #expect(streamed == Data("[1]".utf8))
            for try await line in Shop.item(4).lines() { #expect(line == "[1]") }
            let file = try await Shop.item(4).download(to: folder.path("a.json"))
            #expect(file.byteCount == 3)
            let batch = await Shop.networkInterface.batch([Shop.item(4), Shop.item(5)])
            #expect(try batch.map { try $0.get().string } == ["[1]", "[1]"])
            let elements = Shop.item(4).pagination(.linkHeader).decode([Int].self).elements()
            for try await element in elements { #expect(element == 1) }
            let closure: String? = await withCheckedContinuation { continuation in
                Shop.item(4).load { (response: NetworkResponse) in continuation.resume(returning: response.string) }
            }
            #expect(closure == "[1]")
        }
        #expect(!Network.shop.requests.contains { ["/items/4", "/items/5"].contains($0.target.path) })
    }

    @Test("holds in child tasks, in tasks that its block starts, and in the closures of its loads on any queue")
    func tasks() async throws {
        try await withTransport(StubTransport(content: "scoped"), for: Shop.self) {
            async let child = text(Shop.item(6))
            let texts = [try await child, try await Task { try await self.text(Shop.item(6)) }.value]
            #expect(texts == ["scoped", "scoped"])
            let queue = DispatchQueue(label: "delivery")
            let delivered: [String?] = await withCheckedContinuation { continuation in
                Shop.item(6).deliver(on: queue).load { (first: NetworkResponse) in
                    Shop.item(6).load { (second: NetworkResponse) in
                        continuation.resume(returning: [first.string, second.string])
                    }
                }
            }
            #expect(delivered == ["scoped", "scoped"])
        }
        #expect(!Network.shop.requests.contains { $0.target.path == "/items/6" })
    }

    @Test("holds for a stream that is read after it")
    func escapingStream() async throws {
        let stream = try await withTransport(StubTransport(content: "scoped"), for: Shop.self) {
            try await Shop.item(7).stream()
        }
        #expect(try await stream.next() == Data("scoped".utf8))
    }

    @Test("holds for the loads of constraints and interceptors, which run on Dispatch queues and in tasks of their own")
    func hooks() async throws {
        let blocking = TestConstraint { constraint in
            Shop.item(8).load { (response: NetworkResponse) in
                constraint.isSatisfied = response.string == "scoped"
                constraint.finish(with: constraint.isSatisfied ? nil : CancellationError())
            }
        }
        let asynchronous = Session { _ in
            guard try await Shop.item(8).load().string == "scoped" else { throw CancellationError() }
        }
        let interceptor = RequestHook { resource in
            guard try await Shop.item(8).load().string == "scoped" else { throw CancellationError() }
            return resource
        }
        let swifty = Swifty(transport: StubTransport(content: "own")) {
            $0.use(blocking, asynchronous)
            $0.use(interceptor)
        }
        try await withTransport(StubTransport(content: "scoped"), for: Shop.self) {
            try await expect(swifty.api.get("x"), "own")
        }
        #expect(blocking.flights == 1)
        #expect(!Network.shop.requests.contains { $0.target.path == "/items/8" })
    }

    @Test("is that of its own task, a thousand times in parallel")
    func parallel() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1000..<2000 {
                group.addTask {
                    try await withTransport(StubTransport(content: "\(number)"), for: Shop.self) {
                        try await expect(Shop.item(number), "\(number)")
                        async let child = text(Shop.item(number))
                        let text = try await child
                        #expect(text == "\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(!Network.shop.requests.contains { $0.target.path.count == "/items/1000".count })
    }
}
