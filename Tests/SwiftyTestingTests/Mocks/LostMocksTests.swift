// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

/// A transport that counts what would have reached the network.
private final class CountingTransport: Transport {
    let count = Counter()
    let capabilities: TransportCapabilities = [.network]

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        count.increment()
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
    }

    func shutdown() async {}
}

private enum Shop: WebService {
    static let serverURL = "https://shop.example"
    static let network = CountingTransport()
    static let networkInterface: any NetworkInterface = Swifty(transport: network) { $0.retry = RetryPolicy.none }

    static func order() -> NetworkResource { server.post("orders") }
}

private enum LocalShop: WebService {
    static let serverURL = "http://127.0.0.1:8080"
    static let network = CountingTransport()
    static let networkInterface: any NetworkInterface = Swifty(transport: network)
}

/// A service that no test mocks.
private enum Bystander: WebService {
    static let serverURL = "https://bystander.example"
    static let network = CountingTransport()
    static let networkInterface: any NetworkInterface = Swifty(transport: network)
}

/// Orders on a Dispatch queue, without the mocks.
private final class QueueConstraint: Constraint, @unchecked Sendable {
    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { false }

    override func satisfyConstraint(for resource: NetworkResource) {
        DispatchQueue(label: "order").async {
            Shop.order().load { (response: NetworkResponse) in self.finish(with: response.error) }
        }
    }
}

/// Orders in a detached task, without the mocks.
private struct DetachedConstraint: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) async -> Bool { false }

    func satisfy(for resource: NetworkResource) async throws {
        try await Task.detached { _ = try await Shop.order().load() }.value
    }
}

@Suite("Loads that have lost their mocks", .serialized, .timeLimit(.minutes(15)))
struct LostMocksTests {
    private func code(_ load: @escaping @Sendable () async throws -> Void) async -> SwiftyError.Code? {
        let result = await Task.detached { try await load() }.result
        guard case .failure(let error) = result else { return nil }
        return (error as? SwiftyError)?.code
    }

    @Test("are not sent while the block of a test mocks their service, and are again behind it")
    func detached() async throws {
        let before = Shop.network.count.value
        try await withMocks(for: Shop.self, [.post("orders"): .status(201)]) {
            let status = try await Shop.order().load().statusCode
            #expect(status == 201)
            #expect(await code { _ = try await Shop.order().load() } == .mockUnavailable)
            #expect(await code { _ = try await Shop.order().stream() } == .mockUnavailable)
            try await withMocks(for: Shop.self) {}
            #expect(await code { _ = try await Shop.order().load() } == .mockUnavailable)
            let queued = await withCheckedContinuation { (continuation: CheckedContinuation<NetworkResponse, Never>) in
                DispatchQueue(label: "own").async { Shop.order().load { continuation.resume(returning: $0) } }
            }
            #expect(queued.error?.reason.contains("take NetworkReplacements.current along") == true)
        }
        #expect(Shop.network.count.value == before)
        #expect(await code { _ = try await Shop.order().load() } == nil)
        #expect(Shop.network.count.value == before + 1)
    }

    @Test("are not sent for a constraint either, which fails with the reason", arguments: 0..<2)
    func constraints(_ index: Int) async throws {
        let constraint: any Swifty.Hook = index == 0 ? QueueConstraint() : DetachedConstraint()
        let swifty = Swifty(transport: StubTransport(content: "open")) { $0.use(constraint) }
        let door = BaseResource("https://door.example", networkInterface: swifty).get("door")
        let before = Shop.network.count.value
        try await withMocks(for: Shop.self, [.post("orders"): .status(201)]) {
            let error = await #expect(throws: SwiftyError.self) { try await door.load() }
            #expect(error?.code == .constraintFailed)
            #expect(error?.reason.contains("take NetworkReplacements.current along") == true, "\(error as Any)")
        }
        #expect(Shop.network.count.value == before)
    }

    @Test("are sent if a scope says so, to a server on this machine, and for other services and interfaces")
    func others() async throws {
        let before = Shop.network.count.value
        try await withMocks(for: Shop.self) {
            try await withMocks(for: LocalShop.self) {
                #expect(await code { _ = try await LocalShop.server.get("x").load() } == nil)
                #expect(await code { _ = try await Bystander.server.get("x").load() } == nil)
                let interface = Shop.networkInterface
                #expect(
                    await code {
                        try await withNetworkInterface(interface, for: Shop.self) { _ = try await Shop.order().load() }
                    } == nil
                )
                #expect(
                    await code {
                        _ = try await BaseResource("https://shop.example", networkInterface: interface).get("x").load()
                    } == nil
                )
            }
        }
        #expect(Shop.network.count.value == before + 2)
        #expect(LocalShop.network.count.value == 1)
        #expect(Bystander.network.count.value == 1)
    }

    @Test("take the mocks along with NetworkReplacements")
    func taken() async throws {
        try await withMocks(for: Shop.self, [.post("orders"): .status(201)]) {
            let replacements = NetworkReplacements.current
            #expect(await code { try await replacements.apply { _ = try await Shop.order().load() } } == nil)
        }
    }
}
