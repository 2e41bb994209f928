// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyCurl
import SwiftyTestServers
import TestSupport
import Testing

extension StressTests {
    /// A server with a route that responds after a while, and one that never does.
    private static func startSlowServer() async throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("GET", "/slow") { _ in .text("slow").delayed(.milliseconds(500)) }
            server.route("GET", "/never") { _ in
                try await hang()
                return .status(200)
            }
        }
    }

    private static func start(_ count: Int, _ path: String, _ base: BaseResource) -> [Task<NetworkResponse, any Error>]
    {
        (0..<count).map { _ in Task { try await base.get(path).load() } }
    }

    @Test("a graceful shutdown lets loads finish, cuts the rest at the deadline, refuses new ones and ends the threads")
    func gracefulShutdown() async throws {
        let server = try await Self.startSlowServer()
        let recorder = ThreadRecorder()
        var configuration = CurlTransport.Configuration()
        configuration.loops = 2
        let swifty = Swifty(transport: CurlTransport(configuration: configuration)) { $0.use(recorder) }
        let base = BaseResource(server.url, networkInterface: swifty)
        let (slow, never) = (Self.start(100, "slow", base), Self.start(100, "never", base))
        try await until { server.log.count == 200 }
        // 200 loads are enough for both loops.
        #expect(recorder.threads.count == 2)
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(3)) }
        // The first refused load shows that the shutdown has begun.
        var refused: SwiftyError?
        while refused == nil {
            do throws(SwiftyError) { _ = try await base.get("ip").load() } catch { refused = error }
        }
        #expect(refused?.code == .shutdown, "\(String(describing: refused))")
        #expect(refused?.sent == .notSent, "\(String(describing: refused))")
        for load in slow { #expect(try await load.value.data.map { String(decoding: $0, as: UTF8.self) } == "slow") }
        for load in never {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
            #expect(error?.sent == .maybeSent)
        }
        await shutdown.value
        #expect(swifty.statistics.inFlight == 0)
        #expect(!recorder.threads.contains(where: ProcessUsage.isAlive))
        try await until { server.openConnectionCount == 0 }
        await swifty.shutdown(graceful: .seconds(60))
        await swifty.shutdown()
        let late = await #expect(throws: SwiftyError.self) { try await base.get("ip").load() }
        #expect(late?.code == .shutdown)
        #expect(late?.sent == .notSent)
    }

    @Test("shutdowns while loads begin lose none of them, again and again")
    func racingShutdowns() async throws {
        let server = try LoopbackServer()
        for _ in 0..<20 {
            let swifty = Swifty(transport: CurlTransport())
            let base = BaseResource(server.url, networkInterface: swifty)
            let completions = Tally(100)
            let failures = Failures()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        do throws(SwiftyError) { _ = try await base.get("ip").load() } catch { failures.add(error) }
                        completions.count(index)
                    }
                }
                for _ in 0..<3 { group.addTask { await swifty.shutdown(graceful: .milliseconds(.random(in: 0...3))) } }
            }
            #expect(completions.values.allSatisfy { $0 == 1 })
            #expect(failures.errors.allSatisfy { $0?.code == .shutdown }, "\(failures)")
        }
        try await until { server.openConnectionCount == 0 }
    }
}
