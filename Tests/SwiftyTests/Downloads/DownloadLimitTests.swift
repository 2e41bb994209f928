// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The limit of a download", .timeLimit(.minutes(15)))
struct DownloadLimitTests {
    /// The way in which the content arrives.
    enum Way: CaseIterable {
        case whole, chunked
        case continued, continuedWithoutTotal, continuedWhole
        case renewedLink, complete

        /// Whether an earlier call has left a part.
        var isContinued: Bool {
            switch self {
            case .whole, .chunked, .renewedLink: false
            default: true
            }
        }
    }

    private static let size = 1_000_000
    /// The number of bytes after which each connection of an earlier call breaks.
    private static let cut = 150_000
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(size)
    private var path: String { folder.path("a.bin") }
    private var part: String { folder.path(".a.bin.swiftypart") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A server of one way, whose connections break until the gate is open.
    private func server(_ way: Way, _ isWhole: Gate) throws -> FileServer {
        let content = content
        let calls = Counter()
        return try FileServer(content) { _, _, response in
            let number = calls.increment()
            var response = response
            if way == .continuedWhole, isWhole.isOpen {
                response = LoopbackResponse.data(content).header("ETag", "\"v2\"")
            }
            if way == .renewedLink {
                if number == 2 { return .status(403) }
                if number == 1 {
                    return Self.chunked(content, response).failing(with: .closeAfter(contentBytes: Self.cut))
                }
            }
            if way == .chunked { response = Self.chunked(content, response) }
            if way == .continuedWithoutTotal {
                if !isWhole.isOpen { response = Self.chunked(content, response) }
                response.headers = response.headers.map { name, value in
                    (name, name == "Content-Range" ? value.replacing("/\(content.count)", with: "/*") : value)
                }
            }
            return isWhole.isOpen ? response : response.failing(with: .closeAfter(contentBytes: Self.cut))
        }
    }

    private static func chunked(_ content: Data, _ response: LoopbackResponse) -> LoopbackResponse {
        let chunks = stride(from: 0, to: content.count, by: 100_000).map {
            content[$0..<min($0 + 100_000, content.count)]
        }
        var chunked = LoopbackResponse.chunks(chunks, every: .zero)
        (chunked.status, chunked.headers) = (response.status, response.headers)
        return chunked
    }

    private func policy(maximum: Int?, _ server: FileServer) -> DownloadPolicy {
        var policy = DownloadPolicy(maximumResumptions: 0)
        policy.maximumBytes = maximum
        policy.renewLink = { server.resource("files/renewed.bin") }
        return policy
    }

    /// Leaves the part of an earlier call, which had no limit.
    private func leavePart(_ way: Way, _ server: FileServer) async throws {
        if way == .complete { return try leaveCompletePart(server) }
        let error = await failure {
            try await server.resource().download(to: path, policy: policy(maximum: nil, server))
        }
        #expect(error?.code == .connectionLost, "\(String(describing: error))")
        #expect(FileManager.default.fileExists(atPath: part))
    }

    /// Leaves the part of a call that was killed when all of the content had arrived.
    private func leaveCompletePart(_ server: FileServer) throws {
        let url = SHA256.hash(Array("\(server.server.url)/files/archive.bin".utf8)).hexadecimal
        let record =
            #"{"version":1,"url":"\#(url)","entityTag":"\"v1\"","length":\#(Self.size),"total":\#(Self.size)}"#
        try folder.file(".a.bin.swiftypart.json", record)
        try content.write(to: URL(fileURLWithPath: part))
    }

    @Test("holds in every way in which the content can arrive", arguments: Way.allCases, [size, size - 1, 1])
    func limit(_ way: Way, _ maximum: Int) async throws {
        let isWhole = Gate()
        let server = try server(way, isWhole)
        if way.isContinued { try await leavePart(way, server) }
        isWhole.open()
        let before = (try? Data(contentsOf: URL(fileURLWithPath: part)))?.count ?? 0
        var policy = policy(maximum: maximum, server)
        if way == .renewedLink { policy.maximumResumptions = 5 }
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        if maximum == Self.size {
            #expect(error == nil)
            #expect(try folder.data("a.bin") == content)
            return
        }
        #expect(error?.code == .responseTooLarge, "\(String(describing: error))")
        #expect(folder.fileNames.allSatisfy { $0.hasPrefix(".a.bin.swiftypart") })
        let after = (try? Data(contentsOf: URL(fileURLWithPath: part)))?.count ?? 0
        #expect(after <= max(before, maximum))
    }

    @Test("leaves the beginning of the content, and no gap")
    func beginning() async throws {
        let content = content
        let server = try FileServer(content) { _, _, response in
            let small = (0..<200).map { content[409_000 + $0 * 1000..<410_000 + $0 * 1000] }
            let chunks = [content[..<345_000], content[345_000..<409_000]] + small
            var slow = LoopbackResponse.chunks(chunks, every: .milliseconds(5))
            (slow.status, slow.headers) = (response.status, response.headers)
            return slow
        }
        var policy = policy(maximum: 350_000, server)
        policy.checkpointInterval = .zero
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .responseTooLarge, "\(String(describing: error))")
        let kept = try Data(contentsOf: URL(fileURLWithPath: part))
        #expect(kept.count >= 200_000 && content.starts(with: kept))
    }
}
