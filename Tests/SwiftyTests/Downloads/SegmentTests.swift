// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download in segments", .timeLimit(.minutes(15)))
struct SegmentTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(2_000_001)
    private var path: String { folder.path("a.bin") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func options(_ segments: Int = 4, maximumResumptions: Int = 5) -> DownloadOptions {
        var options = DownloadOptions(
            checksum: .sha256(SHA256.hexadecimal(Array(content))),
            maximumResumptions: maximumResumptions,
            segments: segments
        )
        options.minimumSegment = 1000
        return options
    }

    /// A server that knows ranges with an end.
    private func server(change: @escaping FileServer.Change = { $2 }) throws -> FileServer {
        let content = content
        return try FileServer(content) { number, request, response in
            guard let range = request["Range"].map({ $0.dropFirst("bytes=".count).split(separator: "-") }),
                range.count == 2, let first = Int(range[0]), let last = Int(range[1]), request["If-Range"] == "\"v1\""
            else { return change(number, request, response) }
            let part = LoopbackResponse.data(content[first...last], status: 206)
                .header("Content-Range", "bytes \(first)-\(last)/\(content.count)").header("ETag", "\"v1\"")
            return change(number, request, part)
        }
    }

    @Test("is that of one, over several requests", arguments: [2, 3, 4, 16, 100])
    func success(segments: Int) async throws {
        let server = try server()
        let file = try await server.resource().download(to: path, options: options(segments))
        #expect(try folder.data("a.bin") == content)
        #expect((file.byteCount, file.resumedFrom, file.resumptions) == (content.count, 0, 0))
        #expect(file.head.statusCode == 200)
        #expect(folder.fileNames == ["a.bin"])
        let count = min(segments, 16)
        let size = (content.count + count - 1) / count
        let expected = (1..<count).map { "bytes=\($0 * size)-\(min(($0 + 1) * size, content.count) - 1)" }
        #expect(Set(server.ranges) == Set(["-"] + expected))
        #expect(server.ranges.count == count)
    }

    @Test("is one of nginx")
    func nginx() async throws {
        let nginx = try await PeerServer.nginx(files: ["a.bin": content]) { port, folder in
            "server { listen 127.0.0.1:\(port); root \(folder); }"
        }
        let resource = BaseResource(nginx.url, networkInterface: Swifty.shared).get("a.bin")
        try await resource.download(to: path, options: options())
        #expect(try folder.data("a.bin") == content)
        // nginx writes its log after the response.
        try await until { nginx.nginxLog.count == 4 }
    }

    @Test("goes on where each of its connections was cut")
    func cut() async throws {
        let server = try server { number, _, response in
            number <= 8 ? response.failing(with: .closeAfter(bodyBytes: 100_000)) : response
        }
        let file = try await server.resource().download(to: path, options: options())
        #expect(try folder.data("a.bin") == content)
        #expect(file.resumptions == 8)
        #expect(server.ranges.count == 12)
    }

    @Test("goes on in the next call, in segments or as a whole", arguments: [4, 2, 1])
    func nextCall(segments: Int) async throws {
        let server = try server { number, _, response in
            number <= 4 ? response.failing(with: .closeAfter(bodyBytes: 100_000)) : response
        }
        let error = await failure {
            try await server.resource().download(to: path, options: options(maximumResumptions: 0))
        }
        #expect(error?.code == .connectionLost)
        let file = try await server.resource().download(to: path, options: options(segments))
        #expect(try folder.data("a.bin") == content)
        // The first failure ends the others, wherever they are.
        #expect(file.resumedFrom > 0 && file.resumedFrom <= 400_000)
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test(
        "is loaded as a whole if the server does not send ranges, or has another content",
        arguments: [200, 206, 412]
    )
    func noRanges(status: Int) async throws {
        let content = content
        let server = try server { number, request, response in
            switch (request["Range"], status) {
            case (nil, _): return response
            case (_, 200): return LoopbackResponse.data(content).header("ETag", "\"v1\"")
            case (_, 206): return LoopbackResponse.status(206, headers: [("ETag", "\"v2\"")])
            default: return .status(412)
            }
        }
        try await server.resource().download(to: path, options: options())
        #expect(try folder.data("a.bin") == content)
        #expect(server.ranges.count { $0 == "-" } == 2)
        #expect(server.ranges.last == "-")
    }

    @Test(
        "does not take another range for one of its own",
        arguments: ["bytes 0-9/2000001", "bytes 500001-500010/2000002", "bytes 500001-1999999/2000001", ""]
    )
    func otherRange(value: String) async throws {
        let server = try server { _, request, response in
            guard request["Range"]?.hasPrefix("bytes=500001-") == true else { return response }
            return LoopbackResponse.data(Data(count: 10), status: 206).header("Content-Range", value)
        }
        let error = await failure { try await server.resource().download(to: path, options: options()) }
        #expect(error?.code == .rangeMismatch)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("is not made of a small content, of one without a validator, and not against the server's word")
    func notSplit() async throws {
        let bytes = content
        for number in 0..<3 {
            let server = try FileServer(bytes, tag: number == 1 ? nil : "\"v1\"") { _, _, response in
                number == 2 ? response.header("Accept-Ranges", "none") : response
            }
            var options = options()
            if number == 0 { options.minimumSegment = 1_000_000 }
            try await server.resource().download(to: path, options: options)
            #expect(server.ranges == ["-"], "\(number)")
        }
    }

    @Test("asks for one new link when all of its requests are refused")
    func renewedLink() async throws {
        let server = try server { _, request, response in
            request["Range"] == nil || request.query("key") == "2" ? response : .status(403).delayed(.seconds(1))
        }
        let calls = Counter()
        var options = options()
        options.renewLink = {
            calls.increment()
            return server.resource("files/archive.bin?key=2")
        }
        let outcome = await failure { try await server.resource().download(to: path, options: options) }
        // Without a byte there is nothing that a new link could continue.
        #expect(outcome == nil ? calls.value == 1 : outcome?.statusCode == 403 && calls.value == 0)
    }

    @Test("tells the progress of all segments together")
    func progress() async throws {
        let server = try server()
        let reports = Recording<TransferProgress>()
        try await server.resource().onProgress(every: .zero) { reports.append($0) }
            .download(to: path, options: options())
        let received = reports.values.map(\.received)
        #expect(received == received.sorted())
        #expect(reports.values.allSatisfy { $0.bytesToReceive == content.count })
        #expect(reports.values.last?.fraction == 1)
    }

    @Test("that is cancelled ends all of its requests, and goes on later")
    func cancelled() async throws {
        let content = content
        let isComplete = Gate()
        let server = try server { _, request, response in
            let range = request["Range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            guard !isComplete.isOpen, let range else { return response }
            // The rest of a segment takes a quarter of an hour; sending shows the server that the client has left.
            let cut = range[0] + 300_000
            let bytes = (cut..<cut + 9000).map { content[$0...$0] }
            var held = LoopbackResponse.chunks(
                [content[range[0]..<cut]] + bytes + [content[(cut + 9000)...range[1]]],
                every: .milliseconds(100)
            )
            (held.status, held.headers) = (response.status, response.headers)
            return held
        }
        let (path, options) = (path, options())
        let task = Task { try await server.resource().download(to: path, options: options) }
        // The last segment begins at byte 1,500,003.
        try await until {
            let part = try? FileManager.default.attributesOfItem(atPath: folder.path(".a.bin.swiftypart"))
            return server.ranges.count == 4 && part?[.size] as? Int ?? 0 > 1_500_003
        }
        task.cancel()
        let error = await failure { _ = try await task.value }
        #expect(error?.code == .cancelled)
        try await until { server.server.openConnectionCount == 0 }
        isComplete.open()
        let file = try await server.resource().download(to: path, options: options)
        #expect(try folder.data("a.bin") == content)
        #expect(file.resumedFrom > 0)
    }
}
