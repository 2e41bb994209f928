// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Requests that wait for a place among the connections to a host", .timeLimit(.minutes(15)))
struct ConnectionPlaceTests {
    private let transport = CurlTransport.limited(to: 1)

    private func request(_ server: CountingServer, _ path: String, isRouted: Bool = false) throws -> NetworkRequest {
        var request = try NetworkRequest.to("\(server.url)/\(path)", timeouts: .init())
        if isRouted { request.connectsTo = HostAndPort(host: "127.0.0.1", port: server.port) }
        return request
    }

    /// Sends a request that the server holds, and returns when it has arrived.
    private func occupy(_ server: CountingServer) async throws -> Task<String, any Error> {
        let request = try request(server, "hold")
        let task = Task { try await transport.load(request).text }
        try await until { server.targets.count == 1 }
        return task
    }

    /// Sends requests in this order: the loop's thread runs their tasks.
    private func send(_ requests: [NetworkRequest]) async -> [Task<String, any Error>] {
        let tasks = requests.map { request in
            Task(executorPreference: transport.executor) { try await transport.load(request).text }
        }
        await Task(executorPreference: transport.executor) {}.value
        return tasks
    }

    @Test("are served in the order of their arrival")
    func order() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        let rest = await send(try (0..<50).map { try request(server, "\($0)") })
        server.release()
        for task in [first] + rest { _ = try await task.value }
        #expect(server.targets == ["/hold"] + (0..<50).map { "/\($0)" })
        #expect(server.connectionCount == 1)
    }

    @Test("are served in the order of their arrival, also if they need different connections")
    func orderOfIdentities() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        var requests = try (0..<12).map { try request(server, "\($0)", isRouted: $0 % 2 == 0) }
        requests[5].requiresNewConnection = true
        requests[6].requiresNewConnection = true
        let rest = await send(requests)
        server.release()
        for task in [first] + rest { _ = try await task.value }
        #expect(server.targets == ["/hold"] + (0..<12).map { "/\($0)" })
        #expect(server.most == 1)
        #expect(server.connectionCount == 13)
    }

    @Test("take the place of an idle connection that they cannot use")
    func idle() async throws {
        let server = try CountingServer()
        for number in 0..<6 {
            _ = try await transport.load(request(server, "\(number)", isRouted: number % 2 == 0))
        }
        #expect(server.connectionCount == 6)
        var anew = try request(server, "new")
        anew.requiresNewConnection = true
        for _ in 0..<3 { _ = try await transport.load(anew) }
        #expect(server.connectionCount == 9)
        #expect(server.most == 1)
        #expect(try await transport.load(request(server, "kept")).metrics.isConnectionReused)
    }

    @Test("take the place of the connection that has been idle for the longest time")
    func longestIdle() async throws {
        let (server, transport) = (try CountingServer(), CurlTransport.limited(to: 2))
        for isRouted in [true, false] { _ = try await transport.load(request(server, "a", isRouted: isRouted)) }
        var anew = try request(server, "new")
        anew.connectsTo = HostAndPort(host: "localhost", port: server.port)
        _ = try await transport.load(anew)
        #expect(try await transport.load(request(server, "b")).metrics.isConnectionReused)
        #expect(try await !transport.load(request(server, "b", isRouted: true)).metrics.isConnectionReused)
        #expect(server.most == 2)
    }

    @Test("get the place when no request of its own kind waits for it")
    func otherKind() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        let routed = await send([try request(server, "routed", isRouted: true)])
        server.release()
        #expect(try await first.value == "/hold")
        #expect(try await routed[0].value == "/routed")
        #expect(server.most == 1)
    }

    @Test("are repeated within the limit when a kept connection is lost")
    func lost() async throws {
        let server = try ScriptedServer { connection in
            connection < 3
                ? [.readRequest, .respond(content: "ok"), .readRequest, .close] : [.readRequest, .respond()]
        }
        for _ in 0..<4 { #expect(try await transport.get(server.url).head.statusCode == 200) }
        #expect(server.connectionCount == 4)
        // The server's thread counts the end of a connection after the client has seen it.
        try await until { server.openConnectionCount <= 1 }
    }

    @Test("fail one by one when no connection can be made, and each has its own attempt")
    func refused() async throws {
        let errors = await withTaskGroup(of: SwiftyError?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await transport.failure(of: .to("http://127.0.0.1:1")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 20)
        #expect(errors.allSatisfy { $0?.code == .connectionFailed && $0?.sent == .notSent }, "\(errors)")
        let server = try CountingServer()
        #expect(try await transport.load(request(server, "ok")).text == "/ok")
    }

    @Test("end with a shutdown")
    func shutdown() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        let rest = await send(try (0..<20).map { try request(server, "\($0)", isRouted: $0 % 3 == 0) })
        await transport.shutdown()
        for task in [first] + rest {
            let error = await #expect(throws: SwiftyError.self) { try await task.value }
            #expect(error?.code == .shutdown)
        }
        #expect(server.targets == ["/hold"])
    }
}

// MARK: Limits of time, and cancellation

extension ConnectionPlaceTests {
    @Test("reach their own limits of time, which the error explains")
    func timeouts() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        let limits: [(NetworkRequest.Timeouts, Setting)] = [
            (.init(total: .seconds(60), connect: .seconds(1)), .connectTimeout),
            (.init(total: .seconds(1)), .totalTimeout),
        ]
        for (timeouts, setting) in limits {
            let error = try await transport.failure(of: .to("\(server.url)/late", timeouts: timeouts))
            #expect(error.code == .timedOut)
            #expect(error.stage == .queue)
            #expect(error.sent == .notSent)
            #expect(
                error.reason.contains("1.0 seconds, \(setting.limit): it waited for one of 1 connections"),
                "\(error)"
            )
            #expect(error.reason.hasSuffix(Setting.connectionsPerHost.limit), "\(error)")
        }
        server.release()
        #expect(try await first.value == "/hold")
        #expect(try await transport.load(request(server, "ok")).text == "/ok")
        #expect(server.targets == ["/hold", "/ok"])
    }

    @Test("are cancelled without an effect on the others")
    func cancellation() async throws {
        let server = try CountingServer()
        let first = try await occupy(server)
        let cancellation = LoadCancellation()
        let routed = try request(server, "routed", isRouted: true)
        let cancelled = Task(executorPreference: transport.executor) {
            try await transport.failure(of: routed, cancellation: cancellation)
        }
        let rest = await send(try (0..<3).map { try request(server, "\($0)") })
        cancellation.cancel()
        let error = try await cancelled.value
        #expect(error.code == .cancelled)
        #expect(error.stage == .queue)
        server.release()
        for task in [first] + rest { _ = try await task.value }
        #expect(server.targets == ["/hold", "/0", "/1", "/2"])
        #expect(server.connectionCount == 1)
    }

    @Test("for a host that does not answer leave other hosts alone, and time out")
    func silentHost() async throws {
        let (silent, server) = (try FullListener(), try CountingServer())
        let late = try NetworkRequest.to(silent.url, timeouts: NetworkRequest.Timeouts(connect: .seconds(3)))
        try await withThrowingTaskGroup(of: SwiftyError.self) { group in
            for _ in 0..<5 { group.addTask { try await transport.failure(of: late) } }
            for number in 0..<10 {
                #expect(try await transport.load(request(server, "\(number)")).text == "/\(number)")
            }
            for try await error in group {
                #expect(error.code == .timedOut)
                #expect([.queue, .connect].contains(error.stage), "\(error)")
            }
        }
        withExtendedLifetime(silent) {}
    }
}
