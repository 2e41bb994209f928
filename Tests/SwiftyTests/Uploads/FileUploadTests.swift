// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An upload of a file", .timeLimit(.minutes(15)))
struct FileUploadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file of zeros that occupies no disk.
    private func sparseFile(_ size: Int) throws -> String {
        let url = try folder.file("sparse.bin")
        try FileHandle(forWritingTo: url).truncate(atOffset: UInt64(size))
        return url.path
    }

    @Test("arrives whole over both versions of HTTP", arguments: UploadPeer.Version.allCases)
    func whole(version: UploadPeer.Version) async throws {
        let file = try await largeFile(in: folder, megabytes: 64)
        let peer = try await UploadPeer(version)
        let response = try await peer.base.put("count").file(file.path).load()
        #expect(response.string == "\(64 << 20) \(file.digest)")
        #expect(response.metrics.transfer?.requestContentBytes == 64 << 20)
    }

    @Test("needs no memory for its content")
    func memory() async throws {
        let size = 768 << 20
        let path = try sparseFile(size)
        let server = try ScriptedServer([.readHead, .skip(size), .respond(200, content: "taken")])
        let base = BaseResource(server.url, networkInterface: Swifty())
        let before = ProcessUsage.now
        let response = try await base.put("x").file(path).load()
        let after = ProcessUsage.now
        #expect(response.string == "taken")
        #expect(server.log.requests.first?["Content-Length"] == "\(size)")
        // The other tests of this process need memory, too.
        #expect(after.megabytes < before.megabytes + 500, "\(before), then \(after)")
    }

    /// Changes of a file, with the code of the failure.
    private static let changes: [(String, SwiftyError.Code, @Sendable (String) throws -> Void)] = [
        ("shrinks", .contentChanged, { try #require(FileHandle(forWritingAtPath: $0)).truncate(atOffset: 1_000_000) }),
        ("grows", .contentChanged, { try #require(FileHandle(forWritingAtPath: $0)).truncate(atOffset: 9_000_000) }),
        (
            "is replaced", .contentChanged,
            { try Data(count: 8_000_000).write(to: URL(filePath: $0), options: .atomic) }
        ),
        ("vanishes", .contentUnreadable, { try FileManager.default.removeItem(atPath: $0) }),
    ]

    @Test(
        "of a file that changes after its request was made fails, and its connection is not used again",
        arguments: 0..<4
    )
    func changes(number: Int) async throws {
        let (word, code, change) = Self.changes[number]
        let path = try sparseFile(8_000_000)
        let server = try LoopbackServer()
        let changer = Changer { try? change(path) }
        let swifty = onOneLoop { $0.use(changer) }
        let base = BaseResource(server.url, networkInterface: swifty)
        _ = try await base.get("ip").load()
        changer.isActive.open()
        let error = await loadFailure(base.put("anything").file(path).retry(3))
        #expect(error?.code == code, "\(word): \(String(describing: error))")
        #expect(error?.stage == .send)
        #expect(error?.reason.contains(path) == true)
        #expect(error?.attempts.count == 1)
        // The server has seen no complete request on the first connection.
        _ = try await base.get("ip").load()
        #expect(server.log.requests.map(\.path) == ["/ip", "/ip"])
        #expect(server.log.requests.map(\.connection) == [0, 1])
    }

    @Test("of a file that shrinks in the middle of it fails, and the server gets no complete request")
    func shrinking() async throws {
        let path = try sparseFile(64 << 20)
        let server = try ScriptedServer([.readRequest, .respond(200)])
        // Eight minutes for the whole file.
        let resource = BaseResource(server.url, networkInterface: Swifty()).put("x").file(path).limitRate(
            upload: 1 << 17
        )
        let task = Task { try await resource.load() }
        try await until { server.log.count == 1 }
        try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 100)
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .contentChanged)
        #expect(error?.sent == .maybeSent)
        try await until { server.openConnectionCount == 0 }
        #expect(server.log.requests.map(\.content.count) == [0])
    }

    @Test("of a pipe without a writer can be cancelled, and is counted until its writer comes")
    func pipe() async throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let server = try LoopbackServer()
        let swifty = Swifty()
        let resource = BaseResource(server.url, networkInterface: swifty).put("anything").file(path)
        let task = Task { try await resource.load() }
        try await until { swifty.statistics.inFlight == 1 }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await until {
            // Without a reader, opening without waiting fails.
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            if writer >= 0 { close(writer) }
            return writer >= 0 || swifty.statistics.hooksLeftBehind == 0
        }
        try await until { swifty.statistics.hooksLeftBehind == 0 }
        #expect(server.log.count == 0)
    }

    @Test("of a pipe arrives in chunks, and is not repeated")
    func pipeContent() async throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let server = try LoopbackServer { server in
            server.route("PUT", "/busy") { _ in .status(503) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        for (target, code) in [("anything", nil), ("busy", .unacceptableStatus)] as [(String, SwiftyError.Code?)] {
            async let writing: Void = onOwnThread {
                let writer = try #require(FileHandle(forWritingAtPath: path))
                try writer.write(contentsOf: Data("piped".utf8))
                try writer.close()
            }
            let resource = base.put(target).file(path).retry(RetryPolicy(backoff: .none))
            if let code {
                let error = await loadFailure(resource)
                #expect(error?.code == code)
                #expect(error?.attempts.map(\.statusCode) == [503])
            } else {
                _ = try await resource.load()
            }
            try await writing
        }
        #expect(server.log.requests.map(\.text) == ["piped", "piped"])
        #expect(server.log.requests.allSatisfy { $0["Transfer-Encoding"] == "chunked" })
    }
}

/// Runs a closure once the request of a load is made, and nothing is sent.
private final class Changer: Swifty.Observer {
    let isActive = Gate()
    private let change: @Sendable () -> Void

    init(_ change: @escaping @Sendable () -> Void) {
        self.change = change
    }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        if case .intercepted(let request) = event, request.content.source != nil, isActive.isOpen { change() }
    }
}
