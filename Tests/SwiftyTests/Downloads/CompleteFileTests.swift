// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download to a file that is complete", .timeLimit(.minutes(15)))
struct CompleteFileTests {
    private let folder: TemporaryFolder
    private let old = Data(repeating: 1, count: 100_000)

    init() throws {
        folder = try TemporaryFolder()
        try old.write(to: URL(fileURLWithPath: folder.path("archive.bin")))
    }

    private func policy(_ change: (inout DownloadPolicy) -> Void = { _ in }) -> DownloadPolicy {
        var policy = DownloadPolicy()
        policy.keepsComplete = true
        change(&policy)
        return policy
    }

    private func server(_ fields: [(String, String)] = [], _ content: Data? = nil) throws -> FileServer {
        try FileServer(content ?? FileServer.bytes(100_000)) { _, _, response in
            fields.reduce(response) { $0.header($1.0, $1.1) }
        }
    }

    private static func date(_ offset: Double) -> String {
        HTTPDate.text(secondsSince1970: Int(Date().timeIntervalSince1970 + offset))
    }

    @Test("keeps it if it has the size of the content, and is not older than its last change")
    func kept() async throws {
        for fields in [[], [("Last-Modified", Self.date(-3600))], [("Last-Modified", "soon")]] {
            for target in ["archive.bin", ""] {
                let existing: DownloadPolicy.ExistingFile = target.isEmpty ? .keepBoth : .replace
                let server = try self.server(fields)
                let file = try await server.resource().download(
                    to: folder.path + "/" + target,
                    policy: policy { $0.existing = existing }
                )
                #expect(file.path.hasSuffix("/archive.bin"))
                #expect((file.byteCount, file.resumedFrom, file.resumptions) == (100_000, 100_000, 0))
                #expect(file.head.statusCode == 200)
                #expect(try folder.data("archive.bin") == old)
                #expect(folder.fileNames == ["archive.bin"])
            }
        }
    }

    @Test("replaces it without the option, and if anything says that it is another content")
    func replaced() async throws {
        let other = String(repeating: "0", count: 64)
        let digest = Data(SHA256.hash(Array(FileServer.bytes(100_000)))).base64EncodedString()
        let cases: [(fields: [(String, String)], content: Data?, policy: DownloadPolicy)] = [
            ([], nil, DownloadPolicy()),
            ([("Last-Modified", Self.date(3600))], nil, policy()),
            ([], FileServer.bytes(99_999), policy()), ([], FileServer.bytes(100_001), policy()),
            ([("Repr-Digest", "sha-256=:\(digest):")], nil, policy()),
            ([], nil, policy { $0.checksum = .sha256(Self.hexadecimal(of: FileServer.bytes(100_000))) }),
        ]
        for (fields, content, policy) in cases {
            try old.write(to: URL(fileURLWithPath: folder.path("archive.bin")))
            let server = try self.server(fields, content)
            let file = try await server.resource().download(to: folder.path("archive.bin"), policy: policy)
            #expect(file.resumedFrom == 0)
            #expect(try folder.data("archive.bin") == server.content, "\(fields)")
            #expect(folder.fileNames == ["archive.bin"])
        }
        // A checksum that neither has fails, and the file stays.
        try old.write(to: URL(fileURLWithPath: folder.path("archive.bin")))
        let plain = try self.server()
        let error = await failure {
            try await plain.resource().download(
                to: folder.path("archive.bin"),
                policy: policy { $0.checksum = .sha256(other) }
            )
        }
        #expect(error?.code == .checksumMismatch)
        #expect(try folder.data("archive.bin") == old)
    }

    private static func hexadecimal(of data: Data) -> String { SHA256.hash(Array(data)).hexadecimal }

    @Test("computes the digest of the kept file if it is wanted, and checks it with the expected one")
    func digests() async throws {
        let sum = Self.hexadecimal(of: old)
        let server = try self.server()
        let file = try await server.resource().download(
            to: folder.path("archive.bin"),
            policy: policy { $0.checksum = .sha256(sum) }
        )
        #expect(file.sha256 == sum)
        #expect(file.resumedFrom == 100_000)
        let computed = try await server.resource().download(
            to: folder.path("archive.bin"),
            policy: policy { $0.computesSHA256 = true }
        )
        #expect(computed.sha256 == sum)
    }

    @Test(
        "ends with the cancellation of the task while the digest of the kept file is computed",
        .timeLimit(.minutes(15))
    )
    func cancelled() async throws {
        // Its digest takes hours.
        let size = 1 << 40
        let path = folder.path("archive.bin")
        #expect(truncate(path, off_t(size)) == 0)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head), .stall])
        let policy = policy { $0.computesSHA256 = true }
        let resource = BaseResource(server.url, networkInterface: Swifty()).get("archive.bin")
        let task = Task { try await resource.download(to: path, policy: policy) }
        try await until { isOpen("archive.bin") }
        task.cancel()
        let error = await failure { _ = try await task.value }
        #expect(error?.code == .cancelled)
        #expect(folder.fileNames == ["archive.bin"])
    }

    /// Whether this process has opened a file of the folder.
    private func isOpen(_ name: String) -> Bool {
        let (files, suffix) = (FileManager.default, "\(folder.url.lastPathComponent)/\(name)")
        let numbers = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.contains { number in
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))?.hasSuffix(suffix) == true
        }
    }

    @Test("has no effect on other methods, on a range, on a link, and on a file that must not exist")
    func others() async throws {
        let path = folder.path("archive.bin")
        let server = try self.server()
        let posted = try await BaseResource(server.server.url, networkInterface: Swifty()).post("files/archive.bin")
            .download(to: path, policy: policy())
        #expect(posted.resumedFrom == 0)
        let taken = await failure {
            try await server.resource().download(to: path, policy: policy { $0.existing = .fail })
        }
        #expect(taken?.code == .fileExists)
        let limited = await failure {
            try await server.resource().download(to: path, policy: policy { $0.maximumBytes = 10 })
        }
        #expect(limited?.code == .responseTooLarge)
        try old.write(to: URL(fileURLWithPath: folder.path("target")))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
        let linked = try await server.resource().download(to: folder.path("link"), policy: policy())
        #expect(linked.resumedFrom == 0)
        #expect(try folder.data("target") == old)
    }

    @Test("continues an interrupted part first")
    func interrupted() async throws {
        let content = FileServer.bytes(100_000)
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 50_000)) : response
        }
        var once = policy()
        once.maximumResumptions = 0
        once.keepsComplete = false
        _ = await failure { try await server.resource().download(to: folder.path("archive.bin"), policy: once) }
        let file = try await server.resource().download(to: folder.path("archive.bin"), policy: policy())
        #expect(file.resumedFrom == 50_000)
        #expect(try folder.data("archive.bin") == content)
    }
}
