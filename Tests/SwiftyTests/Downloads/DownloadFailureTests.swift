// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import Synchronization
import TestSupport
import Testing

@Suite("A download that fails", .timeLimit(.minutes(15)))
struct DownloadFailureTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(300_000)
    private var path: String { folder.path("a.bin") }
    private var digest: String { SHA256.hash(Array(content)).hexadecimal }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("because HEAD has no content makes no request")
    func head() async throws {
        let server = try FileServer(content)
        let resource = BaseResource(server.server.url, networkInterface: Swifty.shared).head("files/archive.bin")
        let error = await failure { try await resource.download(to: path) }
        #expect(error?.code == .emptyResponse && error?.stage == .building)
        #expect(error?.request?.method == "HEAD")
        #expect(server.ranges.isEmpty)
        #expect(folder.fileNames.isEmpty)
    }

    // MARK: Digests

    @Test("the comparison with a digest leaves nothing behind, and the older file as it was")
    func checksum() async throws {
        let server = try FileServer(content)
        try folder.file("a.bin", "old")
        let other = SHA256.hash([]).hexadecimal
        let error = await failure {
            try await server.resource().download(to: path, policy: DownloadPolicy(checksum: .sha256(other)))
        }
        #expect(error?.code == .checksumMismatch)
        #expect(try folder.data("a.bin") == Data("old".utf8))
        #expect(folder.fileNames == ["a.bin"])
        let file = try await server.resource()
            .download(to: path, policy: DownloadPolicy(checksum: .sha256(digest)))
        #expect(file.sha256 == digest)
        #expect(try folder.data("a.bin") == content)
    }

    @Test(
        "because of a malformed digest makes no request",
        arguments: ["", "abc", "xyz", String(repeating: "g", count: 64)]
    )
    func malformedChecksum(text: String) async throws {
        let server = try FileServer(content)
        let error = await failure {
            try await server.resource().download(to: path, policy: DownloadPolicy(checksum: .sha256(text)))
        }
        #expect(error?.code == .checksumMismatch && error?.stage == .building)
        #expect(server.ranges.isEmpty)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("the comparison with the server's digest", arguments: ["Repr-Digest", "content-digest"])
    func digestFields(name: String) async throws {
        let right = Data(SHA256.hash(Array(content))).base64EncodedString()
        let wrong = Data(SHA256.hash([])).base64EncodedString()
        let server = try FileServer(content) { number, _, response in
            response.header(name, "sha-512=:AAAA:, sha-256=:\(number == 1 ? right : wrong):")
        }
        #expect(try await server.resource().download(to: path).sha256 == digest)
        let error = await failure { try await server.resource().download(to: folder.path("b.bin")) }
        #expect(error?.code == .checksumMismatch)
        let policy = DownloadPolicy(verifiesDigestFields: false)
        let file = try await server.resource().download(to: folder.path("c.bin"), policy: policy)
        #expect(file.sha256 == nil)
        #expect(folder.fileNames == ["a.bin", "c.bin"])
    }

    @Test("the comparison with the server's digest of all, after a continuation")
    func digestAfterResumption() async throws {
        let wrong = Data(SHA256.hash([])).base64EncodedString()
        let right = Data(SHA256.hash(Array(content))).base64EncodedString()
        for isInFirst in [true, false] {
            let server = try FileServer(content) { number, _, response in
                let cut = number % 2 == 1 ? response.failing(with: .closeAfter(contentBytes: 100_000)) : response
                // That of a part is not that of the file.
                let part = cut.header("Content-Digest", number % 2 == 1 ? "" : "sha-256=:\(wrong):")
                if (number % 2 == 1) != isInFirst { return part }
                return part.header("Repr-Digest", "sha-256=:\(number <= 2 ? right : wrong):")
            }
            #expect(try await server.resource().download(to: path).sha256 == digest)
            let error = await failure { try await server.resource().download(to: path) }
            #expect(error?.code == .checksumMismatch)
            #expect(folder.fileNames == ["a.bin"])
        }
    }

    // MARK: The disk

    @Test("because the disk is full keeps the part", arguments: [ENOSPC, EDQUOT, EFBIG])
    func fullDisk(number: Int32) async throws {
        let server = try FileServer(FileServer.bytes(3_000_000))
        var policy = DownloadPolicy()
        policy.writeFault = { place, _ in place > 1_000_000 ? number : nil }
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .diskFull)
        #expect((error?.underlying as? POSIXError)?.code.rawValue == number)
        let kept = try folder.data(".a.bin.swiftypart")
        #expect(kept.count > 1_000_000 && kept == server.content.prefix(kept.count))
        let file = try await server.resource().download(to: path)
        #expect(file.resumedFrom == kept.count)
        #expect(try folder.data("a.bin") == server.content)
    }

    @Test("because the disk is full even for the record continues later where it stopped")
    func fullDiskForRecord() async throws {
        let server = try FileServer(FileServer.bytes(3_000_000))
        let isFull = Gate()
        var policy = DownloadPolicy()
        policy.writeFault = { place, _ in
            if place > 1_000_000 { isFull.open() }
            return isFull.isOpen ? ENOSPC : nil
        }
        policy.recordFault = { isFull.isOpen ? ENOSPC : nil }
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .diskFull)
        let kept = try folder.data(".a.bin.swiftypart")
        #expect(kept.count > 1_000_000 && kept == server.content.prefix(kept.count))
        let file = try await server.resource().download(to: path)
        #expect(file.resumedFrom == kept.count)
        #expect(try folder.data("a.bin") == server.content)
    }

    @Test("because the disk is full before there is a record says so")
    func noRecord() async throws {
        let server = try FileServer(content)
        var policy = DownloadPolicy()
        policy.recordFault = { ENOSPC }
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .diskFull)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("because the content is larger than the free space fails before it arrives")
    func noSpace() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 900000000000000000\r\n\r\nabc"),
            .stall,
        ])
        let resource = BaseResource(server.url, networkInterface: Swifty.shared).get("a")
        let error = await failure { try await resource.download(to: path) }
        #expect(error?.code == .diskFull)
        try await until { server.openConnectionCount == 0 }
    }

    @Test("because of another error of the disk is typed, too")
    func brokenDisk() async throws {
        let server = try FileServer(content)
        var policy = DownloadPolicy(isResumable: false)
        policy.writeFault = { _, _ in EIO }
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .fileUnwritable)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("because another one writes to the same file")
    func inUse() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3\r\n\r\na"), .stall,
        ])
        let (path, url) = (path, server.url)
        let first = Task {
            defer { gate.open() }
            return try await BaseResource(url, networkInterface: Swifty.shared).get("a").download(to: path)
        }
        try await until { server.log.count == 1 }
        let other = BaseResource(url, networkInterface: Swifty.shared).get("b")
        #expect(await failure { try await other.download(to: path) }?.code == .fileInUse)
        #expect(server.log.count == 1)
        first.cancel()
        await #expect(throws: SwiftyError.self) { try await first.value }
    }

    // MARK: Cancellation

    @Test("because it was cancelled keeps the part, unless it may not be continued", arguments: [true, false])
    func cancelled(isResumable: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n"
        let start = Array(head.utf8) + content.prefix(100_000)
        let server = try ScriptedServer([.readRequest, .send(start), .stall])
        let (path, url) = (path, server.url)
        let received = Recording<Int>()
        let task = Task {
            try await BaseResource(url, networkInterface: Swifty.shared).get("a")
                .onProgress(every: .zero) { received.append($0.received) }
                .download(to: path, policy: DownloadPolicy(isResumable: isResumable))
        }
        // The last bytes before the silence may not be reported: fewer than 64 KiB, and within 100 ms of a report.
        try await until { received.values.contains { $0 > 0 } }
        task.cancel()
        let error = await failure { _ = try await task.value }
        #expect(error?.code == .cancelled)
        try await until { server.openConnectionCount == 0 }
        #expect(folder.fileNames == (isResumable ? [".a.bin.swiftypart", ".a.bin.swiftypart.json"] : []))
        if isResumable {
            let part = try folder.data(".a.bin.swiftypart")
            #expect(part == content.prefix(part.count))
        }
    }

    @Test("leaves no descriptor open")
    func descriptors() async throws {
        let server = try FileServer(content) { number, _, response in
            number % 2 == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : .text("", status: 404)
        }
        for _ in 0..<20 { _ = await failure { try await server.resource().download(to: path) } }
        let place = folder.path
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return file?.hasPrefix(place) == true
        }
        // The last use of a file may end a moment after its download.
        #expect(open.count <= 1)
    }

    // MARK: Expired links

    @Test("because its link has expired goes on with a new one", arguments: [401, 403, 404, 410])
    func renewedLink(status: Int) async throws {
        let server = try FileServer(content) { number, request, response in
            if number == 1 { return response.failing(with: .closeAfter(contentBytes: 100_000)) }
            return request.query("key") == "2" ? response : .status(status)
        }
        let calls = Counter()
        let policy = DownloadPolicy(renewLink: {
            calls.increment()
            return server.resource("files/archive.bin?key=2")
        })
        let file = try await server.resource("files/archive.bin?key=1").download(to: path, policy: policy)
        #expect(try folder.data("a.bin") == content)
        #expect(calls.value == 1)
        #expect(file.byteCount == content.count)
        #expect(server.ranges == ["-", "bytes=100000-", "bytes=100000-"])
    }

    @Test("because its link has expired tells the progress over both")
    func progressOverLinks() async throws {
        let server = try FileServer(content) { number, request, response in
            if number == 1 { return response.failing(with: .closeAfter(contentBytes: 100_000)) }
            if number == 2 { return .status(503) }
            return request.query("key") == "2" ? response : .status(403)
        }
        let (reports, events) = (Recording<TransferProgress>(), Recording<TransferEvent>())
        let policy = DownloadPolicy(renewLink: { server.resource("files/archive.bin?key=2") })
        try await server.resource("files/archive.bin?key=1")
            .onProgress(every: .zero) { reports.append($0) }
            .onEvent { events.append($0) }
            .download(to: path, policy: policy)
        let received = reports.values.map(\.received)
        #expect(received == received.sorted())
        #expect(reports.values.last?.fraction == 1)
        // Only the new link has answered so.
        #expect(events.values.contains(.responseHead(statusCode: 206, contentLength: 200_000)))
    }

    @Test("because its new link has expired, too, asks for no third one, and keeps the part")
    func renewedOnce() async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 100_000)) : .status(403)
        }
        let calls = Counter()
        let policy = DownloadPolicy(renewLink: {
            calls.increment()
            return server.resource("new")
        })
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.statusCode == 403)
        #expect(calls.value == 1)
        #expect(try folder.data(".a.bin.swiftypart") == content.prefix(100_000))
    }

    @Test("without a part asks for no new link")
    func nothingToRenew() async throws {
        let server = try FileServer(content) { _, _, _ in .status(403) }
        let calls = Counter()
        let policy = DownloadPolicy(renewLink: {
            calls.increment()
            return server.resource("new")
        })
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.statusCode == 403)
        #expect(calls.value == 0)
    }

    @Test("with the error that prevents a new link")
    func failingRenewal() async throws {
        struct NoLink: Error {}
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 100_000)) : .status(403)
        }
        let policy = DownloadPolicy(renewLink: { throw NoLink() })
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.statusCode == 403)
        #expect(error?.underlying is NoLink)
    }

    @Test("because it was cancelled while it waited for a new link says so")
    func cancelledRenewal() async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 100_000)) : .status(403)
        }
        let isWaiting = Gate()
        let policy = DownloadPolicy(renewLink: {
            isWaiting.open()
            try await hang()
            return server.resource("new")
        })
        let path = path
        let download = Task { try await server.resource().download(to: path, policy: policy) }
        try await until { isWaiting.isOpen }
        download.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await download.value }
        #expect(error?.code == .cancelled)
        #expect(try folder.data(".a.bin.swiftypart") == content.prefix(100_000))
    }
}
