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
        case whole, chunked, segments
        case continued, continuedWithoutTotal, continuedWhole, continuedSegments, continuedSegmentsAsOne
        case renewedLink, complete

        static let size = 1_000_000

        /// Whether an earlier call has left a part.
        var isContinued: Bool {
            switch self {
            case .whole, .chunked, .segments, .renewedLink: false
            default: true
            }
        }

        /// The ranges that the earlier call has not loaded; `nil` if it ended because its connection broke.
        var gaps: [[Int]]? {
            switch self {
            case .continuedSegments, .continuedSegmentsAsOne: [[150_000, 250_000], [400_000, Self.size]]
            case .complete: []
            default: nil
            }
        }

        var segments: Int {
            switch self {
            case .segments, .continuedSegments: 4
            default: 1
            }
        }
    }

    private static let size = DownloadLimitTests.Way.size
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
        return try FileServer(content) { _, request, response in
            let number = calls.increment()
            var response = Self.response(to: request, content) ?? response
            if way == .continuedWhole, isWhole.isOpen {
                response = LoopbackResponse.data(content).header("ETag", "\"v2\"")
            }
            if way == .renewedLink {
                if number == 2 { return .status(403) }
                if number == 1 {
                    return Self.chunked(content, response).failing(with: .closeAfter(bodyBytes: Self.cut))
                }
            }
            if way == .chunked { response = Self.chunked(content, response) }
            if way == .continuedWithoutTotal {
                if !isWhole.isOpen { response = Self.chunked(content, response) }
                response.headers = response.headers.map { name, value in
                    (name, name == "Content-Range" ? value.replacing("/\(content.count)", with: "/*") : value)
                }
            }
            return isWhole.isOpen ? response : response.failing(with: .closeAfter(bodyBytes: Self.cut))
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

    /// The response to a range with an end.
    private static func response(to request: RecordedRequest, _ content: Data) -> LoopbackResponse? {
        guard let range = request["Range"].map({ $0.dropFirst("bytes=".count).split(separator: "-") }),
            range.count == 2, let first = Int(range[0]), let last = Int(range[1])
        else { return nil }
        return LoopbackResponse.data(content[first...last], status: 206)
            .header("Content-Range", "bytes \(first)-\(last)/\(content.count)").header("ETag", "\"v1\"")
    }

    private func options(_ segments: Int, _ maximum: Int?, _ server: FileServer) -> DownloadOptions {
        var options = DownloadOptions(maximumResumptions: 0, segments: segments)
        (options.maximumBytes, options.minimumSegment) = (maximum, 1)
        options.renewLink = { server.resource("files/renewed.bin") }
        return options
    }

    /// Leaves the part of an earlier call, which had no limit.
    private func leavePart(_ way: Way, _ server: FileServer) async throws {
        if let gaps = way.gaps { return try leavePart(gaps, server) }
        let error = await failure {
            try await server.resource().download(to: path, options: options(1, nil, server))
        }
        #expect(error?.code == .connectionLost, "\(String(describing: error))")
        #expect(FileManager.default.fileExists(atPath: part))
    }

    /// Leaves the part of a call that was killed.
    private func leavePart(_ gaps: [[Int]], total: Int = Way.size, _ server: FileServer) throws {
        let url = SHA256.hexadecimal(Array("\(server.server.url)/files/archive.bin".utf8))
        let length = gaps.first?.first ?? total
        let list = gaps.isEmpty ? "" : #""gaps":\#(gaps),"#
        let record =
            #"{"version":1,"url":"\#(url)","entityTag":"\"v1\"",\#(list)"length":\#(length),"total":\#(total)}"#
        try folder.file(".a.bin.swiftypart.json", record)
        try content.prefix(gaps.last?.first ?? total).write(to: URL(fileURLWithPath: part))
    }

    @Test("holds in every way in which the content can arrive", arguments: Way.allCases, [size, size - 1, 1])
    func limit(_ way: Way, _ maximum: Int) async throws {
        let isWhole = Gate()
        let server = try server(way, isWhole)
        if way.isContinued { try await leavePart(way, server) }
        isWhole.open()
        let before = (try? Data(contentsOf: URL(fileURLWithPath: part)))?.count ?? 0
        var options = options(way.segments, maximum, server)
        if way == .renewedLink { options.maximumResumptions = 5 }
        let error = await failure { try await server.resource().download(to: path, options: options) }
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

    @Test("of the disk holds as well when segments are continued")
    func space() async throws {
        let server = try FileServer(content)
        // No disk can hold that.
        let total = 900_000_000_000_000_000
        try leavePart([[150_000, 250_000], [400_000, total]], total: total, server)
        let error = await failure {
            try await server.resource().download(to: path, options: options(4, nil, server))
        }
        #expect(error?.code == .diskFull, "\(String(describing: error))")
        #expect(server.ranges.isEmpty)
    }
}
