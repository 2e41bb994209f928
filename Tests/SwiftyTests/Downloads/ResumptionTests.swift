// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download that is cut", .timeLimit(.minutes(15)))
struct ResumptionTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(300_000)
    /// Without continuations in the same call.
    private let once = DownloadPolicy(maximumResumptions: 0)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path("a.bin") }

    @Test("goes on in the same call, wherever it was cut", arguments: [1, 1000, 65_536, 299_999])
    func sameCall(offset: Int) async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: offset)) : response
        }
        let policy = DownloadPolicy(computesSHA256: true)
        let file = try await server.resource().download(to: path, policy: policy)
        #expect(try folder.data("a.bin") == content)
        #expect(file.sha256 == SHA256.hash(Array(content)).hexadecimal)
        #expect((file.resumedFrom, file.resumptions, file.byteCount) == (0, 1, content.count))
        #expect(file.head.statusCode == 206)
        #expect(server.ranges == ["-", "bytes=\(offset)-"])
        #expect(server.server.log.last?["If-Range"] == "\"v1\"")
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("does not wait for a request that could not end before the deadline of its caller")
    func deadline() async throws {
        let server = try FileServer(content) { number, _, response in
            let busy = LoopbackResponse.status(503, headers: [("Retry-After", "50")])
            return number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : busy
        }
        let start = ContinuousClock.now
        let error = await failure {
            try await withDeadline(.seconds(40)) { _ = try await server.resource().download(to: path) }
        }
        #expect(error?.statusCode == 503)
        #expect(server.ranges == ["-", "bytes=1000-"])
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(folder.fileNames.contains(".a.bin.swiftypart"))
    }

    @Test("goes on with the request of its beginning, whatever the caller changes in the meantime")
    func freezing() async throws {
        let resources = Recording<NetworkResource>()
        let server = try FileServer(content) { number, _, response in
            for resource in resources.values { resource.query(["late": number]).header("X-Late", "1") }
            return number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : response
        }
        let resource = server.resource()
        resources.append(resource)
        let file = try await resource.download(to: path)
        #expect((file.resumptions, file.byteCount) == (1, content.count))
        #expect(server.ranges == ["-", "bytes=1000-"])
        #expect(server.server.log.requests.allSatisfy { $0["X-Late"] == nil && !$0.target.contains("late") })
    }

    @Test("goes on in the next call, and computes the digest of all of it")
    func nextCall() async throws {
        let server = try FileServer(content) { number, _, response in
            number < 3 ? response.failing(with: .resetAfter(contentBytes: 100_000)) : response
        }
        for call in 1...2 {
            let error = await failure { try await server.resource().download(to: path, policy: once) }
            #expect(error?.code == .connectionLost)
            // A reset may destroy what the client has not read yet.
            let part = try folder.data(".a.bin.swiftypart")
            #expect(part == content.prefix(part.count) && part.count <= call * 100_000)
        }
        let kept = try folder.data(".a.bin.swiftypart").count
        let policy = DownloadPolicy(checksum: .sha256(SHA256.hash(Array(content)).hexadecimal.uppercased()))
        let file = try await server.resource().download(to: path, policy: policy)
        #expect(file.resumedFrom == kept)
        #expect(file.sha256 == SHA256.hash(Array(content)).hexadecimal)
        #expect(try folder.data("a.bin") == content)
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("at any byte of a small content, whole or chunked, is complete in the end", arguments: [true, false])
    func everyOffset(hasLength: Bool) async throws {
        let content = FileServer.bytes(150)
        let server = try FileServer(content) { number, _, response in
            guard number % 2 == 1 else { return response }
            let offset = number / 2
            if hasLength { return response.failing(with: .closeAfter(contentBytes: offset)) }
            return LoopbackResponse.chunks([content]).header("ETag", "\"v1\"")
                .failing(with: .closeAfter(contentBytes: offset))
        }
        for offset in 0..<150 {
            let error = await failure { try await server.resource().download(to: folder.path("\(offset)")) }
            #expect(error?.code == nil, "\(offset): \(String(describing: error))")
            #expect(try folder.data("\(offset)") == content, "\(offset)")
        }
        #expect(folder.fileNames.count == 150)
    }

    @Test("again and again goes on as long as bytes arrive")
    func manyCuts() async throws {
        let server = try FileServer(content) { _, request, response in
            let start = request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            return start > 270_000 ? response : response.failing(with: .closeAfter(contentBytes: 20_000))
        }
        let file = try await server.resource().download(to: path, policy: DownloadPolicy(maximumResumptions: 1))
        #expect(file.resumptions == 14)
        #expect(try folder.data("a.bin") == content)
    }

    @Test("fails when no more bytes arrive, and keeps the part")
    func fruitless() async throws {
        let server = try FileServer(content) { number, _, response in
            response.failing(with: number == 1 ? .closeAfter(contentBytes: 20_000) : .close)
        }
        // The pipeline's own repetitions would hide the number of continuations.
        let resource = server.resource().retry(.none)
        let error = await failure {
            try await resource.download(to: path, policy: DownloadPolicy(maximumResumptions: 2))
        }
        #expect(error?.code == .connectionLost)
        #expect(Set(server.ranges) == ["-", "bytes=20000-"])
        #expect(server.ranges.count >= 3)
        #expect(try folder.data(".a.bin.swiftypart") == content.prefix(20_000))
    }

    @Test("begins anew if the server sends everything, or says that the content has changed", arguments: [200, 412])
    func changed(status: Int) async throws {
        let new = FileServer.bytes(200_000, seed: 2)
        let server = try FileServer(content) { number, _, response in
            switch number {
            case 1: return response.failing(with: .closeAfter(contentBytes: 100_000))
            case 2 where status == 412: return .status(412)
            default: return LoopbackResponse.data(new).header("ETag", "\"v2\"")
            }
        }
        let file = try await server.resource().download(to: path, policy: DownloadPolicy(computesSHA256: true))
        #expect(try folder.data("a.bin") == new)
        #expect(file.sha256 == SHA256.hash(Array(new)).hexadecimal)
        #expect(file.resumedFrom == 0)
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("begins anew if the part is that of another version, or of a longer one")
    func otherValidator() async throws {
        for change in ["ETag", "length"] {
            let new = FileServer.bytes(200_000, seed: 2)
            let server = try FileServer(content) { number, _, response in
                switch number {
                case 1: return response.failing(with: .closeAfter(contentBytes: 100_000))
                case 2 where change == "ETag":
                    return LoopbackResponse.data(new[100_000...], status: 206)
                        .header("Content-Range", "bytes 100000-199999/200000").header("ETag", "\"v2\"")
                case 2: return LoopbackResponse.status(416).header("Content-Range", "bytes */50000")
                default: return LoopbackResponse.data(new).header("ETag", "\"v2\"")
                }
            }
            let file = try await server.resource().download(to: path)
            #expect(try folder.data("a.bin") == new, "\(change)")
            #expect(file.byteCount == 200_000)
            #expect(server.ranges.count == 3)
        }
    }

    @Test("is complete if the server has no more bytes")
    func completeAlready() async throws {
        // Without a length, the end was lost and not a byte of the content.
        let server = try FileServer(content) { number, _, response in
            guard number == 1 else { return response }
            return LoopbackResponse.chunks([self.content]).header("ETag", "\"v1\"")
                .failing(with: .closeAfter(contentBytes: self.content.count))
        }
        let policy = DownloadPolicy(computesSHA256: true)
        let file = try await server.resource().download(to: path, policy: policy)
        #expect(file.head.statusCode == 416)
        #expect(file.sha256 == SHA256.hash(Array(content)).hexadecimal)
        #expect(try folder.data("a.bin") == content)
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("goes on in pieces if the server sends shorter ranges")
    func shortRanges() async throws {
        let content = content
        let server = try FileServer(content) { number, request, response in
            if number == 1 { return response.failing(with: .closeAfter(contentBytes: 50_000)) }
            let start = request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let end = min(start + 90_000, content.count)
            return LoopbackResponse.data(content[start..<end], status: 206)
                .header("Content-Range", "bytes \(start)-\(end - 1)/\(content.count)").header("ETag", "\"v1\"")
        }
        try await server.resource().download(to: path)
        #expect(try folder.data("a.bin") == content)
        #expect(server.ranges == ["-", "bytes=50000-", "bytes=140000-", "bytes=230000-"])
    }

    @Test(
        "is not continued by a validator that is weak or missing",
        arguments: [
            ["ETag": "W/\"v1\""], ["ETag": "v1"], [:],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT",
                "ETag": "W/\"1\"",
            ],
        ]
    )
    func weakValidator(fields: [String: String]) async throws {
        let server = try FileServer(content, tag: nil) { _, _, response in
            fields.reduce(response) { $0.header($1.key, $1.value) }.failing(with: .closeAfter(contentBytes: 1000))
        }
        let error = await failure { try await server.resource().retry(.none).download(to: path) }
        #expect(error?.code == .connectionLost)
        #expect(server.ranges == ["-"])
        #expect(folder.fileNames.isEmpty)
    }

    @Test("is continued by an old Last-Modified")
    func lastModified() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let content = content
        let server = try FileServer(content, tag: nil) { number, _, response in
            let dated = response.header("Last-Modified", date).header("Date", "Sun, 06 Nov 1994 08:49:39 GMT")
            if number == 1 { return dated.failing(with: .closeAfter(contentBytes: 1000)) }
            return LoopbackResponse.data(content[1000...], status: 206)
                .header("Content-Range", "bytes 1000-299999/300000")
        }
        try await server.resource().download(to: path)
        #expect(server.server.log.last?["If-Range"] == date)
        #expect(try folder.data("a.bin") == content)
    }

    @Test("is not continued from the part of another URL")
    func otherURL() async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : response
        }
        let error = await failure { try await server.resource("a?token=1").download(to: path, policy: once) }
        #expect(error?.code == .connectionLost)
        let record = String(decoding: try folder.data(".a.bin.swiftypart.json"), as: UTF8.self)
        #expect(!record.contains("token"))
        let file = try await server.resource("a?token=2").download(to: path, policy: once)
        #expect(file.resumedFrom == 0)
        #expect(server.ranges == ["-", "-"])
        #expect(try folder.data("a.bin") == content)
    }

    @Test(
        "is not continued from a part or a record that is damaged",
        arguments: ["record", "empty", "short", "version"]
    )
    func damaged(damage: String) async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : response
        }
        _ = await failure { try await server.resource().download(to: path, policy: once) }
        let record = String(decoding: try folder.data(".a.bin.swiftypart.json"), as: UTF8.self)
        switch damage {
        case "record": try folder.file(".a.bin.swiftypart.json", record.dropLast(5).description)
        case "empty": try folder.file(".a.bin.swiftypart.json", "")
        case "short": #expect(truncate(folder.path(".a.bin.swiftypart"), 999) == 0)
        default:
            let other = record.replacing("\"version\":1", with: "\"version\":2")
            #expect(other != record)
            try folder.file(".a.bin.swiftypart.json", other)
        }
        try await server.resource().download(to: path)
        #expect(server.ranges == ["-", "-"])
        #expect(try folder.data("a.bin") == content)
        #expect(folder.fileNames == ["a.bin"])
    }

    @Test("drops the bytes behind those that are recorded")
    func unrecordedBytes() async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : response
        }
        _ = await failure { try await server.resource().download(to: path, policy: once) }
        try folder.file(".a.bin.swiftypart", content.prefix(1000) + Data(count: 400_000))
        let file = try await server.resource().download(to: path)
        #expect(file.resumedFrom == 1000)
        #expect(try folder.data("a.bin") == content)
    }

    @Test("leaves nothing behind if it may not be continued")
    func notResumable() async throws {
        let server = try FileServer(content) { _, _, response in response.failing(with: .closeAfter(contentBytes: 1000))
        }
        let policy = DownloadPolicy(isResumable: false)
        let error = await failure { try await server.resource().download(to: path, policy: policy) }
        #expect(error?.code == .connectionLost)
        #expect(server.ranges == ["-"])
        let post = BaseResource(server.server.url, networkInterface: Swifty.shared).post("a")
        #expect(await failure { try await post.download(to: path) }?.code == .connectionLost)
        #expect(server.ranges == ["-", "-"])
        #expect(folder.fileNames.isEmpty)
    }

    @Test("in a folder finds its part, and keeps the name that the first response gave")
    func folderTarget() async throws {
        let server = try FileServer(content) { number, _, response in
            guard number == 1 else { return response }
            return response.header("Content-Disposition", "attachment; filename=named.bin")
                .failing(with: .closeAfter(contentBytes: 1000))
        }
        _ = await failure { try await server.resource().download(to: folder.path, policy: once) }
        let file = try await server.resource().download(to: folder.path)
        #expect(file.resumedFrom == 1000)
        #expect(folder.fileNames == ["named.bin"])
        #expect(try folder.data("named.bin") == content)
    }

    /// A server whose first response stops after a third of the content, while its connection stays open.
    private func stallingServer() throws -> ScriptedServer {
        let content = content
        return try ScriptedServer { connection in
            let status = connection == 0 ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes 100000-299999/300000"
            let body = connection == 0 ? content.prefix(100_000) : content[100_000...]
            let length = connection == 0 ? content.count : body.count
            let head = "HTTP/1.1 \(status)\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n\r\n"
            return [.readRequest, .send(Array(head.utf8) + body), .stall]
        }
    }

    @Test("goes on after a silence of the server that was too long")
    func silence() async throws {
        let server = try stallingServer()
        let resource = BaseResource(server.url, networkInterface: Swifty.shared).get("a")
        let file = try await resource.timeout(idle: .seconds(4)).download(to: path)
        #expect(file.resumptions == 1)
        #expect(try folder.data("a.bin") == content)
        #expect(server.log.requests.map { $0["Range"] } == [nil, "bytes=100000-"])
    }

    @Test("does not go on behind the time limit of the whole")
    func totalTimeout() async throws {
        let server = try stallingServer()
        let resource = BaseResource(server.url, networkInterface: Swifty.shared).get("a")
        let error = await failure { try await resource.timeout(.seconds(6)).download(to: path) }
        #expect(error?.code == .timedOut)
        #expect(server.log.count == 1)
        #expect(try folder.data(".a.bin.swiftypart") == content.prefix(100_000))
        let file = try await resource.timeout(.seconds(600)).download(to: path)
        #expect(file.resumedFrom == 100_000)
    }

    @Test("tells its progress with the bytes that were there")
    func progress() async throws {
        let server = try FileServer(content) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 100_000)) : response
        }
        _ = await failure { try await server.resource().download(to: path, policy: once) }
        let reports = Recording<TransferProgress>()
        try await server.resource().onProgress(every: .zero) { reports.append($0) }.download(to: path)
        #expect(reports.values.allSatisfy { $0.received >= 100_000 && $0.bytesToReceive == 300_000 })
        #expect(reports.values.last?.fraction == 1)
    }
}
