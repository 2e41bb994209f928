// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import Synchronization
import TestSupport
import Testing

@Suite("A download whose part is removed or replaced", .timeLimit(.minutes(15)))
struct ReplacedPartTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(1_000_000)
    private var path: String { folder.path("f/a.bin") }
    private var part: String { folder.path("f/.a.bin.swiftypart") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
    }

    private func names(_ subfolder: String = "f") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(subfolder))) ?? []).sorted()
    }

    /// Options with which something happens once, when the second half of the content is written.
    private func policy(
        _ existing: DownloadPolicy.ExistingFile = .replace,
        _ action: @escaping @Sendable () -> Void
    ) -> DownloadPolicy {
        var policy = DownloadPolicy(existing: existing)
        let isDone = Atomic(false)
        policy.writeFault = { place, count in
            if place + count > 500_000, !isDone.exchange(true, ordering: .relaxed) { action() }
            return nil
        }
        return policy
    }

    private func expectReplaced(_ error: SwiftyError?) {
        #expect(error?.code == .fileUnwritable, "\(String(describing: error))")
        #expect(error?.reason.contains("removed or replaced during the download") == true)
    }

    enum Change: String, CaseIterable {
        case removed, replaced, link, folderMoved, folderReplaced
    }

    /// Changes what is at the path of the part; returns what must be there afterwards.
    private func make(_ change: Change) -> Data? {
        let files = FileManager.default
        let another = Data("another's part".utf8)
        if change == .folderMoved || change == .folderReplaced {
            try? files.moveItem(atPath: folder.path("f"), toPath: folder.path("g"))
        } else {
            try? files.removeItem(atPath: part)
        }
        switch change {
        case .removed, .folderMoved: return nil
        case .replaced: try? another.write(to: URL(fileURLWithPath: part))
        case .folderReplaced:
            try? files.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
            try? another.write(to: URL(fileURLWithPath: part))
        case .link:
            try? another.write(to: URL(fileURLWithPath: folder.path("linked")))
            try? files.createSymbolicLink(atPath: part, withDestinationPath: folder.path("linked"))
        }
        return another
    }

    @Test(
        "fails, and leaves what is there now alone",
        arguments: Change.allCases,
        [DownloadPolicy.ExistingFile.replace, .fail, .keepBoth]
    )
    func changed(_ change: Change, _ existing: DownloadPolicy.ExistingFile) async throws {
        let server = try FileServer(content)
        let there = Mutex<Data?>(nil)
        let policy = policy(existing) { [self] in
            let data = make(change)
            there.withLock { $0 = data }
        }
        expectReplaced(await failure { try await server.resource().download(to: path, policy: policy) })
        let expected = there.withLock { $0 }
        if let expected { #expect(try Data(contentsOf: URL(fileURLWithPath: part)) == expected) }
        #expect(!names().contains("a.bin") && !names("g").contains("a.bin"))
    }

    @Test("does not take the part of a second download for its own, which goes on", arguments: [true, false])
    func twoDownloads(hasOld: Bool) async throws {
        let old = Data("old".utf8)
        if hasOld { try old.write(to: URL(fileURLWithPath: path)) }
        let other = FileServer.bytes(1_000_000, seed: 2)
        let (servers, targets) = ([try FileServer(content), try FileServer(other, tag: "\"v2\"")], (path, part))
        let (isRemoved, isHalf, isOver) = (Gate(), Gate(), Gate())
        // The first waits until the second is in the middle, and the second until the first has ended.
        let first = policy {
            try? FileManager.default.removeItem(atPath: targets.1)
            isRemoved.open()
            isHalf.block()
        }
        let second = policy {
            isHalf.open()
            isOver.block()
        }
        async let loser = failure { try await servers[0].resource().download(to: targets.0, policy: first) }
        try await until { isRemoved.isOpen }
        async let winner = servers[1].resource().download(to: targets.0, policy: second)
        expectReplaced(await loser)
        #expect(names() == [".a.bin.swiftypart", ".a.bin.swiftypart.json"] + (hasOld ? ["a.bin"] : []))
        if hasOld { #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == old) }
        isOver.open()
        #expect(try await winner.byteCount == other.count)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
        #expect(names() == ["a.bin"])
    }

    @Test("leaves the record of a second download alone, so that this can be continued")
    func record() async throws {
        let server = try FileServer(content)
        let targets = (path, part)
        let record = Data("{}".utf8)
        var policy = policy {
            try? FileManager.default.removeItem(atPath: targets.1)
            try? Data().write(to: URL(fileURLWithPath: targets.1))
            try? record.write(to: URL(fileURLWithPath: targets.1 + ".json"))
        }
        policy.checkpointInterval = .zero
        expectReplaced(await failure { try await server.resource().download(to: path, policy: policy) })
        #expect(try Data(contentsOf: URL(fileURLWithPath: part + ".json")) == record)
        #expect(names() == [".a.bin.swiftypart", ".a.bin.swiftypart.json"])
    }

    @Test("by another process is not taken for the own one either")
    func otherProcess() async throws {
        let other = FileServer.bytes(1_000_000, seed: 2)
        let isOver = Gate()
        // The second half comes when the first download has ended.
        let slow = try FileServer(other, tag: "\"v2\"") { _, _, response in
            guard !isOver.isOpen else { return response }
            let chunks = stride(from: 0, to: 500_000, by: 50_000).map { other[$0..<$0 + 50_000] }
            var held = LoopbackResponse.chunks(
                chunks + (0..<400).map { other[500_000 + $0...500_000 + $0] } + [other[500_400...]],
                every: .milliseconds(10)
            )
            (held.status, held.headers) = (response.status, response.headers)
            return held
        }
        let server = try FileServer(content)
        let process = Mutex<ChildProcess?>(nil)
        let (targets, output, errors) = ((path, part), folder.path("output"), folder.path("errors"))
        let url = slow.server.url
        let first = policy {
            try? FileManager.default.removeItem(atPath: targets.1)
            let program = Program.products.appending(path: "DownloadPeer").path
            let child = try? ChildProcess(program, [url, targets.0], output: output, errors: errors)
            process.withLock { $0 = child }
            // The other process has begun when it has written something.
            blockUntil { (try? Data(contentsOf: URL(fileURLWithPath: targets.1)))?.count ?? 0 >= 100_000 }
        }
        expectReplaced(await failure { try await server.resource().download(to: path, policy: first) })
        let child = try #require(process.withLock { $0 })
        #expect(try await onOwnThread { child.wait() } == 0, "\(folder.lines("errors"))")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
        #expect(names() == ["a.bin"])
    }
}
