// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An upload that is produced while it is sent", .timeLimit(.minutes(15)))
struct StreamUploadTests {
    private struct Broken: Error {}

    /// Records how the closure of a writer ended.
    private final class Ending: Sendable {
        let began = Gate()
        let errors = Recording<SwiftyError>()
        let written = Counter()

        /// Writes pieces of 10,000 bytes until that fails.
        func write(to writer: ContentWriter) async {
            began.open()
            do throws(SwiftyError) {
                while true {
                    try await writer.write(Data(count: 10_000))
                    written.increment()
                }
            } catch {
                errors.append(error)
            }
        }
    }

    @Test("arrives whole, with a known length and without", arguments: UploadPeer.Version.allCases, [true, false])
    func whole(version: UploadPeer.Version, hasLength: Bool) async throws {
        let peer = try await UploadPeer(version)
        let count = 3_000_000
        let resource = peer.base.put("count").stream(length: hasLength ? Int64(count) : nil) { writer in
            for _ in 0..<300 { try await writer.write(Data(count: 10_000)) }
        }
        // As `head -c 3000000 /dev/zero | sha256sum` computes it.
        let digest = try await Program.require("sh", ["-c", "head -c \(count) /dev/zero | sha256sum"]).output.prefix(64)
        #expect(try await resource.load().string == "\(count) \(digest)")
        let sequence = peer.base.put("count").stream(length: hasLength ? Int64(count) : nil) {
            AsyncStream<Data> { continuation in
                for _ in 0..<30 { continuation.yield(Data(count: 100_000)) }
                continuation.finish()
            }
        }
        #expect(try await sequence.load().string == "\(count) \(digest)")
    }

    @Test("has a Content-Length if its length is known, and chunks if not")
    func framing() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        _ = try await base.put("anything").stream(length: 3) { writer in try await writer.write("abc") }.load()
        _ = try await base.put("anything").stream { writer in try await writer.write("abc") }.load()
        _ = try await base.put("anything").stream { _ in }.load()
        #expect(server.log.requests.map(\.text) == ["abc", "abc", ""])
        #expect(server.log.requests.map { $0["Content-Length"] } == ["3", nil, nil])
        #expect(server.log.requests.map { $0["Transfer-Encoding"] } == [nil, "chunked", "chunked"])
    }

    @Test("waits for a server that does not read, and ends with its load")
    func backPressure() async throws {
        let server = try ScriptedServer([.readHead, .stall])
        let ending = Ending()
        let resource = BaseResource(server.url, networkInterface: Swifty()).put("x").stream {
            await ending.write(to: $0)
        }
        let task = Task { try await resource.load() }
        try await until { server.log.count == 1 }
        try await until { ending.written.value > 0 }
        try await untilStable { ending.written.value }
        // What the sockets of the system hold, and a little more.
        #expect(ending.written.value < 3_000)
        #expect(ending.errors.count == 0)
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await until { ending.errors.count == 1 }
        #expect(ending.errors.values.first?.code == .cancelled)
    }

    @Test("is ended by a response that comes early", arguments: UploadPeer.Version.allCases)
    func early(version: UploadPeer.Version) async throws {
        let peer = try await UploadPeer(version)
        let ending = Ending()
        let resource = peer.base.post("some").stream { await ending.write(to: $0) }
        #expect(try await resource.load().string == "some")
        try await until { ending.errors.count == 1 }
        #expect(ending.errors.values.first?.code == .cancelled)
    }

    @Test("is ended by 413, whose response the error has")
    func tooLarge() async throws {
        let server = try ScriptedServer([
            .readHead, .skip(100_000), .respond(413, [("Connection", "close")], content: "too much"), .stall,
        ])
        let ending = Ending()
        let error = await loadFailure(
            BaseResource(server.url, networkInterface: Swifty()).put("x").stream { await ending.write(to: $0) }
        )
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.statusCode == 413)
        #expect(error?.content == Data("too much".utf8))
        try await until { ending.errors.count == 1 }
    }

    @Test("fails with the error of its source, and the server gets no complete request")
    func sourceError() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let resources = [
            base.put("anything").stream { writer in
                try await writer.write("a")
                throw Broken()
            },
            base.put("anything").stream {
                AsyncThrowingStream<Data, any Error> { continuation in
                    continuation.yield(Data([1]))
                    continuation.finish(throwing: Broken())
                }
            },
        ]
        for resource in resources {
            let error = await loadFailure(resource.retry(3))
            #expect(error?.code == .contentUnreadable)
            #expect(error?.stage == .send)
            let cause = error?.underlying
            #expect(cause is Broken || (cause as? SwiftyError)?.underlying is Broken, "\(String(describing: cause))")
        }
        #expect(server.log.count == 0)
    }

    @Test(
        "that has another length than it announces fails, and its connection is not used again",
        arguments: [99, 101]
    )
    func wrongLength(count: Int) async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: onOneLoop())
        _ = try await base.get("ip").load()
        let error = await loadFailure(
            base.put("anything").stream(length: 100) { writer in try await writer.write(Data(count: count)) }
        )
        #expect(error?.code == .contentUnreadable)
        _ = try await base.get("ip").load()
        #expect(server.log.requests.map(\.path) == ["/ip", "/ip"])
        #expect(server.log.requests.map(\.connection) == [0, 1])
    }

    @Test("whose writer outlives its closure cannot write into the next request")
    func late() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let kept = Recording<ContentWriter>()
        _ = try await base.put("anything").stream { writer in
            kept.append(writer)
            try await writer.write("one")
        }.load()
        let writer = try #require(kept.values.first)
        let error = await #expect(throws: SwiftyError.self) { try await writer.write("late") }
        #expect(error?.code == .cancelled)
        _ = try await base.put("anything").text("two").load()
        #expect(server.log.requests.map(\.text) == ["one", "two"])
    }

    @Test("needs no memory for its content")
    func memory() async throws {
        let size = 1 << 30
        let server = try ScriptedServer([.readHead, .skip(size), .respond(200, content: "taken")])
        let before = ProcessUsage.now
        let resource = BaseResource(server.url, networkInterface: Swifty()).put("x").stream(length: Int64(size)) {
            writer in
            let piece = Data(count: 1 << 20)
            for _ in 0..<1024 { try await writer.write(piece) }
        }
        #expect(try await resource.load().string == "taken")
        let after = ProcessUsage.now
        // The other tests of this process need memory, too.
        #expect(after.megabytes < before.megabytes + 800, "\(before), then \(after)")
    }

    @Test("can run many times at once")
    func many() async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/size/{n}") { .text("\($0.pathVariables["n"] ?? "") \($0.content.count)") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        try await withThrowingTaskGroup(of: (String?, String).self) { group in
            for number in 0..<50 {
                group.addTask {
                    let resource = base.put("size/{n}", ["n": number]).stream { writer in
                        for _ in 0..<number { try await writer.write(Data(count: 7_919)) }
                    }
                    return (try await resource.load().text(), "\(number) \(number * 7_919)")
                }
            }
            for try await (received, expected) in group { #expect(received == expected) }
        }
    }
}
