// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@Suite("Ranges of nginx", .timeLimit(.minutes(15)))
struct RangeTests {
    private let content = FileServer.bytes(2_000_000)

    private func nginx() async throws -> PeerServer {
        try await .nginx(files: ["a.bin": content]) { port, folder in
            "server { listen 127.0.0.1:\(port); root \(folder); }"
        }
    }

    private func resource(_ server: PeerServer) -> NetworkResource {
        BaseResource(server.url, networkInterface: Swifty.shared).get("a.bin")
    }

    @Test("one or several, behind the end too, are the bytes of the content")
    func parts() async throws {
        let server = try await nginx()
        let one = try await resource(server).byteRanges([5..<105])
        #expect(one.map(\.range) == [5..<105] && one.map(\.data) == [content[5..<105]] && one[0].total == 2_000_000)
        let asked = [0..<10, 1_000_000..<1_500_000, 1_999_990..<2_000_100]
        let several = try await resource(server).byteRanges(asked)
        #expect(several.map(\.range) == [0..<10, 1_000_000..<1_500_000, 1_999_990..<2_000_000])
        #expect(several.map(\.data) == several.map { content[$0.range] })
        let response = try await resource(server).range(last: 3).load()
        #expect(response.statusCode == 206 && response.data == content.suffix(3))
        let error = await failure { _ = try await resource(server).byteRanges([3_000_000..<3_000_001]) }
        #expect(error?.statusCode == 416)
    }

    @Test("are not needed to know the length")
    func length() async throws {
        let server = try await nginx()
        #expect(try await resource(server).contentLength() == 2_000_000)
        // nginx writes its log after the response.
        try await until { server.nginxLog.last?.contains("HEAD /a.bin") == true }
        let post = BaseResource(server.url, networkInterface: Swifty.shared).post("a.bin").data(Data("a".utf8))
        #expect(try await post.contentLength() == 2_000_000)
    }

    @Test("continue a download, also from a part that is complete")
    func download() async throws {
        let server = try await nginx()
        let folder = try TemporaryFolder()
        let path = folder.path("a.bin")
        for limit in [1, 1_000_000, 1_999_999] {
            var policy = DownloadPolicy(computesSHA256: true)
            policy.writeFault = { place, count in place + count > limit ? ENOSPC : nil }
            let error = await failure { try await resource(server).download(to: path, policy: policy) }
            #expect(error?.code == .diskFull)
        }
        let kept = try folder.data(".a.bin.swiftypart").count
        #expect(kept > 0)
        let file = try await resource(server).download(to: path)
        #expect(file.resumedFrom == kept)
        #expect(try folder.data("a.bin") == content)
    }

    @Test("are not asked for again when the whole content is there")
    func complete() async throws {
        let server = try await nginx()
        let folder = try TemporaryFolder()
        let path = folder.path("a.bin")
        // The disk fails at the last moment: the content is complete, and cannot get its name.
        let place = folder
        var policy = DownloadPolicy(existing: .fail)
        policy.writeFault = { offset, _ in
            if offset > 0 { _ = try? place.file("a.bin") }
            return nil
        }
        let error = await failure { try await resource(server).download(to: path, policy: policy) }
        #expect(error?.code == .fileExists)
        #expect(try folder.data(".a.bin.swiftypart") == content)
        let file = try await resource(server).download(to: path)
        #expect(file.head.statusCode == 416)
        #expect(file.resumedFrom == 2_000_000)
        #expect(try folder.data("a.bin") == content)
    }
}
