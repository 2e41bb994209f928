// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTestServers
import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// One run of a scenario: makes its servers and transports, and ends them.
final class ConformanceRun: Sendable {
    private struct Started {
        var transports: [any Transport] = []
        /// Stop the servers.
        var stops: [@Sendable () async -> Void] = []
    }

    let subject: ConformanceSubject
    private let started = Mutex(Started())

    init(_ subject: ConformanceSubject) {
        self.subject = subject
    }

    func transport(_ change: (inout TransportSettings) -> Void = { _ in }) -> any Transport {
        var settings = TransportSettings()
        change(&settings)
        let transport = subject.make(settings)
        started.withLock { $0.transports.append(transport) }
        return transport
    }

    /// A server that runs the same script on every connection.
    func server(_ script: ScriptedServer.Step...) throws -> ScriptedServer {
        try server { _ in script }
    }

    /// A server that runs a script on its first connection, and responds to a request on each later one.
    func server(first script: [ScriptedServer.Step], then text: String) throws -> ScriptedServer {
        try server { $0 == 0 ? script : [.readRequest, .respond(content: text), .stall] }
    }

    /// A server with TLS that runs the same script on every connection.
    func server(tls: ServerTLS, _ script: [ScriptedServer.Step]) throws -> ScriptedServer {
        let server = try ScriptedServer(script, tls: tls)
        started.withLock { $0.stops.append { await server.stop() } }
        return server
    }

    /// A server that runs a separate script on each connection.
    func server(perConnection: @escaping @Sendable (Int) -> [ScriptedServer.Step]) throws -> ScriptedServer {
        let server = try ScriptedServer(perConnection: perConnection)
        started.withLock { $0.stops.append { await server.stop() } }
        return server
    }

    /// A server at a Unix domain socket that runs the same script on every connection.
    func server(path: String, _ script: [ScriptedServer.Step]) throws -> ScriptedServer {
        let server = try ScriptedServer(path: path, script)
        started.withLock { $0.stops.append { await server.stop() } }
        return server
    }

    func http2Peer(
        _ authority: TestAuthority,
        _ react: @escaping ScriptedHTTP2Server.Reaction
    ) throws -> ScriptedHTTP2Server {
        let peer = try ScriptedHTTP2Server(authority: authority, react)
        started.withLock { $0.stops.append { await peer.stop() } }
        return peer
    }

    /// A server that responds with pieces of content, which are made as the client reads them.
    func server(pieces count: Int, _ piece: @escaping @Sendable (Int) -> Data) throws -> LoopbackServer {
        try loopbackServer { server in
            server.route("GET", "/") { _ in
                .pieces(LoopbackResponse.PieceSource(count: count, length: nil, piece: piece))
            }
        }
    }

    /// A correct server with routes.
    func loopbackServer(_ configure: (LoopbackServer) -> Void) throws -> LoopbackServer {
        let server = try LoopbackServer(configure: configure)
        started.withLock { $0.stops.append { await server.stop() } }
        return server
    }

    /// The URL of a server for transports of any kind, even those without a network.
    func origin() throws -> String {
        guard subject.capabilities.contains(.network) else { return "http://origin.test" }
        return try loopbackServer(ConformanceOrigin.addRoutes).url
    }

    /// Ends the transports, and then the servers, each group within 15 seconds; `false` if that is not enough.
    func end() async -> Bool {
        let ended = started.withLock { started in
            defer { started = Started() }
            return started
        }
        let areShutDown = await finishes(within: .seconds(15)) {
            for transport in ended.transports { await transport.shutdown() }
        }
        let areStopped = await finishes(within: .seconds(15)) {
            for stop in ended.stops { await stop() }
        }
        return areShutDown && areStopped
    }
}

/// Waits for work up to a time limit; returns `false` at the limit, and lets the work continue.
private func finishes(within limit: Duration, _ work: @escaping @Sendable () async -> Void) async -> Bool {
    let outcome = Promise<Bool>()
    Task {
        await work()
        outcome.resolve(true)
    }
    // Not a task group, which would wait for the work.
    let timer = Task {
        try await Task.sleep(for: limit)
        outcome.resolve(false)
    }
    defer { timer.cancel() }
    return await outcome.value()
}

/// The reason why a scenario failed.
struct ConformanceFailure: Error, CustomStringConvertible {
    let description: String
}

/// Fails the scenario unless the condition holds.
func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw ConformanceFailure(description: reason()) }
}

/// Fails the scenario unless both values are equal.
func expect<Value: Equatable>(_ subject: String, _ value: Value, is expected: Value) throws {
    try expect(value == expected, "\(subject) is \(value), and should be \(expected)")
}

/// Waits until a condition holds, for less time than a scenario has, so that the failure names the condition.
func eventually(_ expectation: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(50)
    while try await !condition() {
        try expect(ContinuousClock.now < deadline, "not within 50 seconds: \(expectation)")
        try await Task.sleep(for: .milliseconds(5))
    }
}
