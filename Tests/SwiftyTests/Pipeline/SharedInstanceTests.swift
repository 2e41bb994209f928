// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("What the whole process shares", .timeLimit(.minutes(15)))
struct SharedInstanceTests {
    /// Passes everything on, also what does not belong to it.
    private struct Wrapper: Transport {
        let base: any Transport

        var capabilities: TransportCapabilities { base.capabilities }

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            try await base.send(request, cancellation: cancellation)
        }

        func shutdown() async { await base.shutdown() }
    }

    enum Way: CaseIterable {
        case transport, instance, wrapper, coalescing, sharedInstance

        func shutDown() async {
            switch self {
            case .transport: await CurlTransport.shared.shutdown()
            case .instance: await Swifty(transport: CurlTransport.shared).shutdown()
            case .wrapper: await Swifty(transport: Wrapper(base: CurlTransport.shared)).shutdown()
            case .coalescing: await Swifty(transport: CurlTransport.shared) { $0.coalesces = true }.shutdown()
            case .sharedInstance: await Swifty.shared.shutdown()
            }
        }
    }

    @Test("cannot be shut down by one of its users", arguments: Way.allCases)
    func shutdown(_ way: Way) async throws {
        let server = try LoopbackServer { $0.route("GET", "/") { _ in .text("ok") } }
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get().stream()
        await way.shutDown()
        #expect(try await stream.next() != nil)
        for interface in [Swifty.shared, Swifty(), Swifty(transport: CurlTransport.shared)] {
            #expect(try await BaseResource(server.url, networkInterface: interface).get().load().string == "ok")
        }
    }

    @Test("has one pool of connections for all instances with the default transport")
    func pool() async throws {
        let connections = Recording<Int>()
        let server = try LoopbackServer { server in
            server.route("GET", "/") { request in
                connections.append(request.connection)
                return .text("ok")
            }
        }
        for interface in [Swifty.shared, Swifty(), Swifty { $0.retry = .none }] {
            _ = try await BaseResource(server.url, networkInterface: interface).get().load()
        }
        #expect(connections.values.count == 3)
        #expect(Set(connections.values).count == 1)
    }

    @Test("An instance over a shared transport ends its own loads at its shutdown, and takes no more")
    func ownLoads() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let swifty = Swifty(transport: CurlTransport.shared)
        let resource = BaseResource(server.url, networkInterface: swifty).get()
        let load = Task { try await resource.load() }
        _ = try await server.takeRequest()
        await swifty.shutdown()
        let first = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(first?.code == .shutdown)
        let second = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(second?.code == .shutdown)
    }
}
