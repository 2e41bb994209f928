// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Cancellation", .timeLimit(.minutes(15)))
struct CancellationTests {
    private let transport = CurlTransport()

    @Test("a load that is cancelled before it is sent is never sent")
    func before() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        for _ in 0..<100 {
            let cancellation = LoadCancellation()
            cancellation.cancel()
            let error = try await transport.failure(of: .to(server.url), cancellation: cancellation)
            #expect(error.code == .cancelled)
            #expect(error.stage == .queue)
            #expect(error.sent == .notSent)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("a load that is cancelled while there is no loop is not sent by the next loop", arguments: [false, true])
    func beforeTheLoop(isStreamed: Bool) async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let system = ScarceSystem()
        let transport = CurlTransport(.init(), isShared: false, system: system)
        #expect(try await transport.failure(of: .to(server.url)).code == .tooManyOpenFiles)
        system.recover()
        let cancellation = LoadCancellation()
        cancellation.cancel()
        let request = try NetworkRequest.to(server.url, timeouts: .init(total: .seconds(60)))
        let error = await #expect(throws: SwiftyError.self) {
            if isStreamed { _ = try await transport.stream(request, cancellation: cancellation) }
            _ = try await transport.send(request, cancellation: cancellation)
        }
        #expect(error?.code == .cancelled)
        #expect(error?.stage == .queue)
        #expect(server.connectionCount == 0)
    }

    @Test("a load cancelled while it waits ends immediately, with the given code")
    func during() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let code: SwiftyError.Code = number.isMultiple(of: 2) ? .cancelled : .timedOut
                group.addTask {
                    let cancellation = LoadCancellation()
                    async let failure = transport.failure(of: .to(server.url), cancellation: cancellation)
                    try await until { server.log.requests.count >= 100 }
                    cancellation.cancel(with: code)
                    let error = try await failure
                    #expect(error.code == code)
                    #expect(error.stage == .firstByte)
                    #expect(error.sent == .maybeSent)
                }
            }
            try await group.waitForAll()
        }
        try await until { server.openConnectionCount == 0 }
    }

    @Test("a load cancelled during the response keeps what arrived, and its connection is not reused")
    func withinContent() async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .stall]
                : [.readRequest, .respond(200, content: "next")]
        }
        let cancellation = LoadCancellation()
        let recorder = EventRecorder()
        var request = try NetworkRequest.to(server.url)
        request.onEvent = { recorder.record($0) }
        async let failure = transport.failure(of: request, cancellation: cancellation)
        try await until { recorder.names.contains("200") }
        // The content follows the head in the same piece, and the loop parses all of it before it runs a task.
        await Task(executorPreference: transport.executor) {}.value
        cancellation.cancel()
        let error = try await failure
        #expect(error.code == .cancelled)
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
        #expect(error.content == Data("short".utf8))
        #expect(try await transport.get(server.url).text == "next")
    }

    @Test("a cancellation after the end changes nothing")
    func after() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(Array(repeating: exchange, count: 200).flatMap { $0 })
        for _ in 0..<100 {
            let cancellation = LoadCancellation()
            #expect(try await transport.send(.to(server.url), cancellation: cancellation).text == "ok")
            cancellation.cancel()
        }
        #expect(try await transport.get(server.url).text == "ok")
        #expect(server.connectionCount == 1)
    }

    @Test("a cancellation at any moment ends the load exactly once")
    func atAnyMoment() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(Array(repeating: exchange, count: 2000).flatMap { $0 })
        let ends = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let cancellation = LoadCancellation()
                    let canceller = Task.detached {
                        // Another moment for each load.
                        try await Task.sleep(for: .microseconds(number * 7 % 3000))
                        cancellation.cancel()
                    }
                    defer { canceller.cancel() }
                    do {
                        return try await transport.send(.to(server.url), cancellation: cancellation).text
                    } catch let error as SwiftyError {
                        return error.code.rawValue
                    }
                }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(ends.values.reduce(0, +) == 1000)
        #expect(Set(ends.keys).isSubset(of: ["ok", "cancelled"]))
    }

    @Test("a cancelled name lookup does not delay others")
    func duringNameLookup() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, content: "ok")])
        let cancellation = LoadCancellation()
        async let failure = transport.failure(of: .to("http://slow.name.invalid"), cancellation: cancellation)
        cancellation.cancel()
        #expect(try await transport.get(server.url).text == "ok")
        let code = try await failure.code
        #expect(code == .cancelled || code == .nameResolutionFailed)
    }
}

/// The system's threads and sockets, which are enough for a loop only after the recovery.
private final class ScarceSystem: LoopSystem {
    private let native = NativeLoopSystem()
    private let isScarce = Atomic(true)

    func recover() {
        isScarce.store(false, ordering: .releasing)
    }

    func startThread(named name: String, for context: LoopContext) -> (any LoopThreadHandle)? {
        native.startThread(named: name, for: context)
    }

    func makeResources(_ environment: CurlEnvironment) -> LoopResources? {
        isScarce.load(ordering: .acquiring) ? nil : native.makeResources(environment)
    }

    func runElsewhere(_ job: LoopJob) {
        native.runElsewhere(job)
    }
}
