// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import SwiftyTesting
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("A loop that callers run while its thread is asleep", .timeLimit(.minutes(15)))
struct LoopSeatTests {
    @Test("forgets no transfer, whoever comes when", arguments: [1, 2, 8, 40])
    func nothingLost(callers: Int) async throws {
        let server = try await LoopbackServer.start()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in 0..<(800 / callers) {
                        let response = try await transport.get(server.url + "/ip")
                        #expect(response.head.statusCode == 200)
                        // Now and then the thread has fallen asleep meanwhile.
                        if (caller + number) % 7 == 0 { try await Task.sleep(for: .microseconds(200)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        await transport.shutdown()
    }

    @Test("keeps a limit that is shorter than its thread's sleep", arguments: [300, 1_500])
    func limit(milliseconds: Int) async throws {
        let exchange: [RawServer.Step] = [.readRequest, .respond(200, body: "ok")]
        let server = try RawServer(exchange + [.readRequest, .stall])
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        _ = try await transport.get(server.url)
        // By now the thread sleeps without a limit.
        try await Task.sleep(for: .milliseconds(2_300))
        var request = try NetworkRequest.to(server.url)
        request.timeouts.total = .milliseconds(milliseconds)
        let error = try await transport.failure(of: request)
        #expect(error.code == .timedOut)
        await transport.shutdown()
    }

    @Test("ends all when callers run it and somebody ends it", arguments: 0..<10)
    func shutdown(round: Int) async throws {
        let server = try await LoopbackServer.start()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        let loads = (0..<8).map { _ in
            Task {
                while true { _ = try await transport.get(server.url + "/ip") }
            }
        }
        try await Task.sleep(for: .milliseconds(3 * round))
        await transport.shutdown()
        for load in loads {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
        }
    }

    @Test("is claimed by one sender only, until it is asleep again")
    func claim() throws {
        let mailbox = Mailbox()
        let waker = try #require(Waker())
        mailbox.open(waker)
        #expect(mailbox.declareAsleep())
        #expect(mailbox.receipt == "asleep")
        #expect(mailbox.receipt == "queued")
        #expect(!mailbox.declareAsleep())
        var commands: [LoopCommand] = []
        mailbox.take(into: &commands)
        #expect(commands.count == 2)
        #expect(mailbox.declareAsleep())
        #expect(mailbox.close(with: .noLoop).isEmpty)
        #expect(mailbox.receipt == "refused")
    }

    @Test("costs no caller its life if libcurl writes to a connection that is gone")
    func brokenPipe() {
        #expect(ccurl_block_sigpipe())
        #expect(!ccurl_block_sigpipe())
        pthread_kill(pthread_self(), SIGPIPE)
        ccurl_unblock_sigpipe()
        #expect(ccurl_block_sigpipe())
        ccurl_unblock_sigpipe()
    }
}

extension Mailbox {
    /// What becomes of a command.
    fileprivate var receipt: String {
        switch post(.shutdown) {
        case .refused: "refused"
        case .queued: "queued"
        case .asleep: "asleep"
        }
    }
}
