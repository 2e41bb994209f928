// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download", .timeLimit(.minutes(15)))
struct DownloadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("puts the content into the file, and nothing beside it", arguments: [0, 1, 65_537, 3_000_000])
    func success(count: Int) async throws {
        let server = try FileServer(FileServer.bytes(count))
        let file = try await server.resource().download(to: folder.path("a.bin"))
        #expect(file.path == folder.path("a.bin"))
        #expect(file.byteCount == count)
        #expect(file.sha256 == nil)
        #expect(file.head.statusCode == 200)
        #expect((file.resumedFrom, file.resumptions) == (0, 0))
        #expect(try folder.data("a.bin") == server.content)
        #expect(folder.fileNames == ["a.bin"])
        #expect(server.ranges == ["-"])
        #expect(server.server.log.last?["Accept-Encoding"] == "identity")
    }

    @Test("has the permissions that the mask leaves, and replaces an older file")
    func permissions() async throws {
        let server = try FileServer(FileServer.bytes(10))
        try folder.file("a.bin", "an older and longer content")
        chmod(folder.path("a.bin"), 0o600)
        try await server.resource().download(to: folder.path("a.bin"))
        var status = stat()
        #expect(stat(folder.path("a.bin"), &status) == 0)
        let mask = umask(0)
        umask(mask)
        #expect(status.st_mode & 0o777 == 0o666 & ~mask)
        #expect(try folder.data("a.bin") == server.content)
    }

    @Test("into a folder takes the name from Content-Disposition, or from the URL")
    func folderTarget() async throws {
        let server = try FileServer(FileServer.bytes(10)) { number, _, response in
            number == 1 ? response : response.header("Content-Disposition", "attachment; filename=\"../../b.bin\"")
        }
        let first = try await server.resource("files/a%20b.bin?token=1").download(to: folder.path)
        #expect(first.path == "\(folder.path)/a b.bin")
        let second = try await server.resource().download(to: folder.path + "/")
        #expect(second.path == "\(folder.path)/b.bin")
        #expect(folder.fileNames == ["a b.bin", "b.bin"])
    }

    @Test("with an error status touches neither the file nor the part of an earlier download", arguments: [404, 500])
    func errorStatus(status: Int) async throws {
        let content = FileServer.bytes(100_000)
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 50_000)) : .text("an error", status: status)
        }
        try folder.file("a.bin", "old")
        let policy = DownloadPolicy(maximumResumptions: 0)
        let cut = await failure { try await server.resource().download(to: folder.path("a.bin"), policy: policy) }
        #expect(cut?.code == .connectionLost)
        let part = try folder.data(".a.bin.swiftypart")
        #expect(part == content.prefix(50_000))
        let record = try folder.data(".a.bin.swiftypart.json")
        let error = await failure { try await server.resource().download(to: folder.path("a.bin"), policy: policy) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.statusCode == status)
        #expect(try folder.data("a.bin") == Data("old".utf8))
        #expect(try folder.data(".a.bin.swiftypart") == part)
        #expect(try folder.data(".a.bin.swiftypart.json") == record)
    }

    @Test("with an error status leaves nothing behind, even if the caller accepts all statuses")
    func acceptedErrorStatus() async throws {
        let server = try FileServer(Data()) { _, _, _ in .text("an error", status: 404) }
        let resource = server.resource().validate(status: .any)
        let error = await failure { try await resource.download(to: folder.path("a.bin")) }
        #expect(error?.statusCode == 404)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("replaces a link, and does not follow it")
    func linkAsTarget() async throws {
        let server = try FileServer(FileServer.bytes(10))
        try folder.file("other", "unchanged")
        #expect(symlink(folder.path("other"), folder.path("a.bin")) == 0)
        try await server.resource().download(to: folder.path("a.bin"))
        #expect(try folder.data("other") == Data("unchanged".utf8))
        #expect(try folder.data("a.bin") == server.content)
        var status = stat()
        #expect(lstat(folder.path("a.bin"), &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }

    @Test("does not write through a link or a second name in the place of its part")
    func linkAsPart() async throws {
        let server = try FileServer(FileServer.bytes(10))
        try folder.file("other", "unchanged")
        #expect(symlink(folder.path("other"), folder.path(".a.bin.swiftypart")) == 0)
        #expect(link(folder.path("other"), folder.path(".b.bin.swiftypart")) == 0)
        for name in ["a.bin", "b.bin"] {
            let error = await failure { try await server.resource().download(to: folder.path(name)) }
            #expect(error?.code == .fileUnwritable)
        }
        #expect(try folder.data("other") == Data("unchanged".utf8))
        #expect(server.ranges.isEmpty)
    }

    @Test("fails without a request if the file cannot be made there")
    func unwritable() async throws {
        let server = try FileServer(FileServer.bytes(10))
        try folder.file("file")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let paths = ["", folder.path("missing/a.bin"), folder.path("file/a.bin"), folder.path("pipe"), "/dev/null"]
        for path in paths + [folder.path + "/missing/", folder.path + "/zero\0byte"] {
            let error = await failure { try await server.resource().download(to: path) }
            #expect(error?.code == .fileUnwritable, "\(path): \(String(describing: error))")
        }
        #expect(server.ranges.isEmpty)
        #expect(folder.fileNames == ["file", "pipe"])
    }

    @Test("does not replace a file if the policy says so, also one that appears meanwhile")
    func existing() async throws {
        let place = folder
        let server = try FileServer(FileServer.bytes(10)) { number, _, response in
            if number == 1 { _ = try? place.file("b.bin", "new") }
            return response
        }
        try folder.file("a.bin", "old")
        let policy = DownloadPolicy(existing: .fail)
        for name in ["a.bin", "b.bin"] {
            let error = await failure { try await server.resource().download(to: folder.path(name), policy: policy) }
            #expect(error?.code == .fileExists)
        }
        #expect(server.ranges == ["-"])
        #expect(try folder.data("a.bin") == Data("old".utf8))
        #expect(try folder.data("b.bin") == Data("new".utf8))
        try await server.resource().download(to: folder.path("c.bin"), policy: policy)
        #expect(try folder.data("c.bin") == server.content)
    }

    @Test("of a mock writes its content")
    func mock() async throws {
        let server = try FileServer(Data())
        let file = try await server.resource().mock(data: Data("mocked".utf8)).download(to: folder.path("a.txt"))
        #expect(file.byteCount == 6)
        #expect(try folder.data("a.txt") == Data("mocked".utf8))
    }

    @Test("with an invalid request fails as a load does")
    func invalidRequest() async throws {
        let server = try FileServer(Data())
        let resource = server.resource().timeout(.zero)
        let error = await failure { try await resource.download(to: folder.path("a")) }
        #expect(error?.code == .invalidTimeout)
        #expect(folder.fileNames.isEmpty)
    }
}
