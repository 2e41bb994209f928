// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The policy of a download", .timeLimit(.minutes(15)))
struct DownloadChoiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("keep both files, the new one with a number in its name")
    func keepBoth() async throws {
        let server = try FileServer(FileServer.bytes(10))
        let policy = DownloadPolicy(existing: .keepBoth)
        var names: [String] = []
        for _ in 0..<3 {
            let file = try await server.resource("files/a.tar.gz").download(to: folder.path, policy: policy)
            names.append(file.path)
        }
        let expected = ["a.tar.gz", "a.tar-1.gz", "a.tar-2.gz"].map { "\(folder.path)/\($0)" }
        #expect(names == expected)
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: false)
        let beside = try await server.resource("files/b").download(to: folder.path, policy: policy)
        #expect(beside.path == "\(folder.path)/b-1")
        let named = try await server.resource().download(to: folder.path("a.tar.gz"), policy: policy)
        #expect(named.path == folder.path("a.tar-3.gz"))
    }

    @Test("begin anew although there is a part, which is replaced")
    func anew() async throws {
        let server = try FileServer(FileServer.bytes(100_000)) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 50_000)) : response
        }
        var policy = DownloadPolicy(maximumResumptions: 0)
        let resource = server.resource()
        let path = folder.path("a.bin")
        let cut = await failure { try await resource.download(to: path, policy: policy) }
        #expect(cut?.code == .connectionLost)
        #expect(resource.byteCountKept(ofDownloadTo: path) == 50_000)
        #expect(server.resource("other").byteCountKept(ofDownloadTo: path) == 0)
        policy.continuesEarlier = false
        let file = try await resource.download(to: path, policy: policy)
        #expect(file.resumedFrom == 0)
        #expect(server.ranges == ["-", "-"])
        #expect(try folder.data("a.bin") == server.content)
        #expect(folder.fileNames == ["a.bin"])
        #expect(resource.byteCountKept(ofDownloadTo: path) == 0)
    }

    @Test("limit the size, whether it is announced or not", arguments: [true, false])
    func limit(isAnnounced: Bool) async throws {
        let content = Data(repeating: 7, count: 100_000)
        let server = try LoopbackServer { server in
            server.route("GET", "/f") { _ in isAnnounced ? .data(content) : .chunks([content]) }
        }
        let resource = BaseResource("\(server.url)/f", networkInterface: Swifty()).get()
        var policy = DownloadPolicy()
        policy.maximumBytes = content.count - 1
        let path = folder.path("f")
        let error = await failure { try await resource.download(to: path, policy: policy) }
        #expect(error?.code == .responseTooLarge)
        #expect(folder.fileNames.isEmpty)
        policy.maximumBytes = content.count
        #expect(try await resource.download(to: path, policy: policy).byteCount == content.count)
    }
}
