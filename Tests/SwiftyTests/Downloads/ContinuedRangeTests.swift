// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download and the range of a response", .timeLimit(.minutes(15)))
struct ContinuedRangeTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(300_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path("a.bin") }

    @Test(
        "does not take another range for the rest, and keeps the part",
        arguments: [
            "bytes 99999-299998/300000", "bytes 100001-299999/300000", "bytes 100000-299999/300001",
            "bytes 100000-300000/300001", "bytes 100000-299998/300000", "bytes 0-299999/300000", "bytes */300000",
            "bytes 100000-99999/300000", "octets 100000-299999/300000", "", "bytes 100000-299999/299999",
        ]
    )
    func otherRange(value: String) async throws {
        let content = content
        let server = try FileServer(content) { number, _, response in
            if number == 1 { return response.failing(with: .closeAfter(contentBytes: 100_000)) }
            return LoopbackResponse.data(content[100_000...], status: 206)
                .header("Content-Range", value).header("ETag", "\"v1\"")
        }
        let error = await failure { try await server.resource().download(to: path) }
        #expect(error?.code == .rangeMismatch, "\(String(describing: error))")
        #expect(try folder.data(".a.bin.swiftypart") == content.prefix(100_000))
        #expect(folder.fileNames == [".a.bin.swiftypart", ".a.bin.swiftypart.json"])
    }

    @Test("asks for what is missing of a rest that is shorter than its range", arguments: [1, 50])
    func shortRange(missing: Int) async throws {
        let content = content
        let end = content.count - missing
        let server = try FileServer(content) { number, _, response in
            if number == 1 { return response.failing(with: .closeAfter(contentBytes: 100_000)) }
            if number > 2 { return response }
            var response = LoopbackResponse.chunks([content[100_000..<end]])
            response.status = 206
            return response.header("Content-Range", "bytes 100000-299999/300000").header("ETag", "\"v1\"")
        }
        try await server.resource().download(to: path)
        #expect(try folder.data("a.bin") == content)
        #expect(server.ranges == ["-", "bytes=100000-", "bytes=\(end)-"])
    }

    @Test("does not accept a range that it did not ask for")
    func unasked() async throws {
        let server = try FileServer(content) { _, _, response in
            LoopbackResponse.data(Data(count: 10), status: 206).header("Content-Range", "bytes 0-9/20")
        }
        let error = await failure { try await server.resource().download(to: path) }
        #expect(error?.code == .rangeMismatch)
        #expect(folder.fileNames.isEmpty)
    }
}
