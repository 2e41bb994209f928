// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download with a status of success", .timeLimit(.minutes(15)))
struct DownloadStatusTests {
    /// A status without the content of a file, and the error.
    static let refused: [(Int, SwiftyError.Code)] = [
        (201, .emptyResponse), (202, .unacceptableStatus), (204, .emptyResponse), (205, .emptyResponse),
    ]

    private let folder: TemporaryFolder
    private let content = FileServer.bytes(300_000)
    private var path: String { folder.path("a.bin") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("but without content leaves the file as it was", arguments: refused)
    func existing(status: Int, code: SwiftyError.Code) async throws {
        let server = try FileServer(content) { _, _, _ in .status(status) }
        try folder.file("a.bin", "old")
        let error = await failure { try await server.resource().download(to: path) }
        #expect(error?.code == code && error?.statusCode == status, "\(String(describing: error))")
        #expect(try folder.data("a.bin") == Data("old".utf8))
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("but without content makes no file, and keeps the part of an earlier call", arguments: refused)
    func part(status: Int, code: SwiftyError.Code) async throws {
        let server = try FileServer(content) { number, _, response in
            switch number {
            case 1: response.failing(with: .closeAfter(contentBytes: 100_000))
            case 2: .status(status)
            default: response
            }
        }
        let error = await failure { try await server.resource().download(to: path) }
        #expect(error?.code == code && error?.statusCode == status, "\(String(describing: error))")
        #expect(folder.fileNames == [".a.bin.swiftypart", ".a.bin.swiftypart.json"])
        let file = try await server.resource().download(to: path)
        #expect(file.resumedFrom == 100_000)
        #expect(try folder.data("a.bin") == content)
    }

    @Test("and with content makes a file, with 200 also an empty one", arguments: [200, 201, 203, 207, 299])
    func content(status: Int) async throws {
        let data = status == 200 ? Data() : content
        let server = try FileServer(content) { _, _, _ in .data(data, status: status) }
        let file = try await server.resource().download(to: path)
        #expect(file.head.statusCode == status)
        #expect(try folder.data("a.bin") == data)
    }
}
