// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("A file as the content", .timeLimit(.minutes(15)))
struct FileSourceTests {
    private let folder: TemporaryFolder
    private let path: String
    private let data = pattern(1_000_003)

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.file("a.bin", data).path
    }

    private func append(_ text: String, to path: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test("has a length, and is read in parts of at most 256 KiB")
    func parts() async throws {
        let source = try await source(of: server().put().file(path))
        #expect(source.length == data.count)
        var sizes: [Int] = []
        var content = Data()
        while let part = try await source.next() {
            sizes.append(part.count)
            content += part
        }
        #expect(content == data)
        #expect(sizes == [262_144, 262_144, 262_144, 213_571])
        #expect(try await source.next() == nil)
    }

    @Test("is read into the memory of the parts that are gone, and not into that of parts that are kept")
    func buffers() async throws {
        let resource = server().put().file(path)
        var addresses: Set<UInt> = []
        let first = try await source(of: resource)
        while let part = try await first.next() {
            addresses.insert(part.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        }
        #expect(addresses.count == 1)
        try await first.rewind()
        var parts: [Data] = []
        var second: (any ContentSource)? = try await source(of: resource)
        // Two sources at a time, and the parts outlive theirs.
        while let part = try await second?.next() {
            parts.append(part)
            #expect(try await first.next() == part)
        }
        second = nil
        #expect(parts.count == 4)
        #expect(parts.reduce(Data(), +) == data)
    }

    @Test("has the media type of its extension, and may be empty")
    func empty() async throws {
        let path = try folder.file("a.json").path
        let request = try await freeze(server().post().file(path))
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.content.source?.length == 0)
        #expect(try await request.collectingContent().content.length == 0)
    }

    @Test("is read again from its beginning for every load, transfer and repetition")
    func replays() async throws {
        let resource = server().put().file(path)
        for _ in 0..<2 {
            let source = try await source(of: resource)
            #expect(source.isRewindable)
            _ = try await source.next()
            try await source.rewind()
            #expect(try await source.rest() == data)
            try await source.rewind()
            source.cancel()
            #expect(try await source.replayed()?.rest() == data)
        }
    }

    /// A change of the file, by a word for the test's name.
    private static let changes: [(String, @Sendable (String) throws -> Void)] = [
        ("shrinks", { try #require(FileHandle(forWritingAtPath: $0)).truncate(atOffset: 900_000) }),
        ("becomes empty", { try #require(FileHandle(forWritingAtPath: $0)).truncate(atOffset: 0) }),
        ("grows", { try #require(FileHandle(forWritingAtPath: $0)).truncate(atOffset: 1_000_004) }),
        (
            "is written to",
            {
                let handle = try #require(FileHandle(forWritingAtPath: $0))
                try handle.write(contentsOf: Data([0xFF]))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 9)],
                    ofItemAtPath: $0
                )
            }
        ),
    ]

    @Test("that changes while it is sent is an error, before its last part", arguments: 0..<4, [0, 1, 3])
    func changes(change: Int, partsBefore: Int) async throws {
        let source = try await source(of: server().put().file(path))
        for _ in 0..<partsBefore { #expect(try await source.next() != nil) }
        try Self.changes[change].1(path)
        var count = partsBefore
        let error = await failure {
            while try await source.next() != nil { count += 1 }
        }
        #expect(error?.code == .contentChanged, "\(Self.changes[change].0)")
        #expect(error?.reason.contains(path) == true)
        #expect(count < 4)
    }

    @Test("that was replaced by another before its first byte, or between two attempts, is an error")
    func replaced() async throws {
        let first = try await source(of: server().put().file(path))
        let second = try await source(of: server().put().file(path))
        _ = try await second.next()
        let replayed = try #require(second.replayed())
        second.cancel()
        try FileManager.default.removeItem(atPath: path)
        for source in [first, replayed] {
            let error = await failure { _ = try await source.next() }
            #expect(error?.code == .contentUnreadable)
            #expect(error?.reason.contains("there is no such file") == true)
        }
        try data.write(to: URL(filePath: path))
        let again = try #require(second.replayed())
        #expect(await failure { _ = try await again.next() }?.code == .contentChanged)
    }

    @Test("that vanishes once it is open is sent to its end")
    func removed() async throws {
        let source = try await source(of: server().put().file(path))
        var content = try #require(try await source.next())
        try FileManager.default.removeItem(atPath: path)
        content += try await source.rest()
        #expect(content == data)
    }

    @Test("that cannot be read fails the load before anything is sent")
    func unreadable() async throws {
        for (path, reason) in [("/no/such", "there is no such file"), (folder.path, "it is a directory")] {
            let error = await failure { _ = try await freeze(server().put().file(path)) }
            #expect(error?.code == .contentUnreadable)
            #expect(error?.stage == .building)
            #expect(error?.reason.contains(reason) == true)
            #expect(error?.underlying is POSIXError)
        }
    }

    @Test("holds no descriptor before its first byte, and none after its end")
    func descriptors() async throws {
        let source = try await source(of: server().put().file(path))
        #expect(openCount() == 0)
        _ = try await source.next()
        #expect(openCount() == 1)
        source.cancel()
        #expect(openCount() == 0)
        await #expect(throws: CancellationError.self) { _ = try await source.next() }
    }

    /// The number of descriptors of the file.
    private func openCount() -> Int {
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        return links.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == target
        }
    }
}

@Suite("A pipe or device as the content", .timeLimit(.minutes(15)))
struct PipeSourceTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
    }

    private func openWriter() async throws -> FileHandle {
        let path = path
        return try await onOwnThread { try #require(FileHandle(forWritingAtPath: path)) }
    }

    @Test("has no length, is read as it is written, and only once")
    func pipe() async throws {
        let resource = server().put().file(path)
        async let opened = source(of: resource)
        let writer = try await openWriter()
        let source = try await opened
        #expect(source.length == nil)
        #expect(!source.isRewindable)
        try writer.write(contentsOf: Data("one".utf8))
        #expect(try await source.next() == Data("one".utf8))
        try writer.write(contentsOf: Data("two".utf8))
        #expect(try await source.next() == Data("two".utf8))
        try writer.close()
        #expect(try await source.next() == nil)
        #expect(source.replayed() == nil)
        let error = await failure { _ = try await freeze(resource) }
        #expect(error?.code == .contentNotReplayable)
    }

    @Test("that stays silent does not outlive its transfer")
    func silent() async throws {
        async let opened = source(of: server().put().file(path))
        let writer = try await openWriter()
        let source = try await opened
        let reading = Task { try await source.next() }
        source.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
        try writer.close()
    }

    @Test(
        "includes the files that the system makes up",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/cpuinfo"))
    )
    func system() async throws {
        let source = try await source(of: server().put().file("/proc/cpuinfo"))
        #expect(source.length == nil)
        #expect(try await source.rest().count > 10)
    }
}
