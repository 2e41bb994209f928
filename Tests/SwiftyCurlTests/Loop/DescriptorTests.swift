// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

/// In processes of their own: a process has one table of descriptors and one environment.
@Suite("Descriptors and files", .timeLimit(.minutes(15)))
struct DescriptorTests {
    @Test("without descriptors a load fails with that reason and the loop sleeps; with descriptors loads succeed again")
    func exhausted() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer([.readRequest, .respond(200, [("Connection", "close")])])
            let transport = CurlTransport()
            _ = try await transport.get(server.url)
            // The server closes its descriptor a little later than this side does.
            try await until { server.openConnectionCount == 0 }
            // Dispatch opens descriptors for the first timers, and reports it nowhere.
            try await untilStable { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            let hoard = DescriptorHoard()
            for host in ["127.0.0.1", "localhost"] {
                let request = try NetworkRequest.to(
                    "http://\(host):\(server.port)",
                    timeouts: NetworkRequest.Timeouts(total: .seconds(20))
                )
                let error = try await transport.failure(of: request)
                #expect(error.code == .tooManyOpenFiles, "\(error)")
                #expect(error.sent == .notSent)
            }
            let start = ThisProcess.time
            // Not for longer: about once a second Dispatch inspects its threads, and traps if it cannot open their
            // files.
            try await Task.sleep(for: .milliseconds(30))
            #expect(ThisProcess.time - start < 25_000_000)
            hoard.release()
            #expect(try await transport.get(server.url).head.statusCode == 200)
        }
    }

    @Test("a transport whose first load finds no descriptors works once there are some")
    func exhaustedAtFirst() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer([.readRequest, .respond()])
            let transport = CurlTransport()
            let hoard = DescriptorHoard()
            for _ in 0..<3 {
                #expect(try await transport.failure(of: .to(server.url)).code == .tooManyOpenFiles)
            }
            hoard.release()
            #expect(try await transport.get(server.url).head.statusCode == 200)
            await transport.shutdown()
            let never = CurlTransport()
            let again = DescriptorHoard()
            #expect(try await never.failure(of: .to(server.url)).code == .tooManyOpenFiles)
            await never.shutdown()
            #expect(try await never.failure(of: .to(server.url)).code == .shutdown)
            again.release()
        }
    }

    @Test("a shutdown requested before a loop that cannot start ends")
    func shutdownWithoutLoop() async {
        await #expect(processExitsWith: .success) {
            // Ends a test that hangs.
            alarm(60)
            let environment = CurlEnvironment(CurlTransport.shared.configuration)
            let url = "http://127.0.0.1:1"
            let first = CurlTransport()
            _ = try await first.failure(of: .to(url))
            // A loop that ends later would give descriptors back.
            await first.shutdown()
            let hoard = DescriptorHoard()
            // Few, because of what Dispatch does once a second.
            for _ in 0..<5 {
                let (mailbox, completion) = (Mailbox(), LoopCompletion())
                #expect(mailbox.post(.shutdown) == nil)
                let context = LoopContext(mailbox: mailbox, completion: completion, environment: environment)
                #expect(NativeLoopSystem().startThread(named: "no loop", for: context) != nil)
                await completion.wait()
            }
            for _ in 0..<5 {
                let transport = CurlTransport()
                async let failure = transport.failure(of: .to(url))
                async let end: Void = transport.shutdown()
                #expect([.tooManyOpenFiles, .shutdown].contains(try await failure.code))
                await end
            }
            hoard.release()
        }
    }

    @Test("a .netrc is never read")
    func netrc() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryFolder()
            let text =
                "machine 127.0.0.1 login a password b\nmachine localhost login c password d\n"
                + "default login e password f\n"
            for name in [".netrc", "_netrc"] { try home.file(name, text) }
            setenv("HOME", home.path, 1)
            setenv("NETRC", home.path(".netrc"), 1)
            let server = try ScriptedServer([.readRequest, .respond(401, [("WWW-Authenticate", "Basic realm=\"x\"")])])
            for host in ["127.0.0.1", "localhost"] {
                let response = try await CurlTransport().get("http://\(host):\(server.port)")
                #expect(response.head.statusCode == 401)
            }
            #expect(server.log.requests.count == 2)
            #expect(server.log.requests.allSatisfy { $0["Authorization"] == nil })
        }
    }

    @Test("a program started while connections are open inherits none")
    func inheritance() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer()
            let transport = CurlTransport()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask { _ = try await transport.get("\(server.url)/delay/1") }
                }
                try await until { OpenSockets.descriptors(toPorts: [server.port]).count >= 50 }
                let ours = try OpenSockets.connected(toPort: server.port)
                #expect(try OpenSockets.inherited().isDisjoint(with: ours))
                try await group.waitForAll()
            }
        }
    }
}

/// All remaining descriptors of this process.
private final class DescriptorHoard {
    private var descriptors: [Int32] = []

    init() {
        // A small table, because its limit may be millions.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        limit.rlim_cur = min(limit.rlim_max, 256)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { descriptors.append(descriptor) }
    }

    func release() {
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }
}
