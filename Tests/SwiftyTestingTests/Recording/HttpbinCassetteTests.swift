// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

@Suite("A cassette of PyPI's httpbin", .timeLimit(.minutes(15)))
struct HttpbinCassetteTests {
    private let folder: TemporaryFolder
    private let swifty = Swifty { $0.retry = RetryPolicy(maximumAttempts: 1) }

    /// What a load gave its caller.
    private struct Outcome: Equatable {
        var status: Int?
        var fields: [String] = []
        var content = Data()
        var hops: [Int] = []
        var error: String?
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func requests(_ base: BaseResource) -> [NetworkResource] {
        let texts = ["get?a=1&b=%C3%BC", "gzip", "deflate", "image/png", "bytes/5000?seed=7", "encoding/utf8", "xml"]
        let moves = ["redirect/3", "absolute-redirect/2", "redirect-to?url=%2Fstatus%2F418", "relative-redirect/2"]
        let chunks = ["stream/5", "stream-bytes/3000?seed=1&chunk_size=100", "drip?numbytes=5&duration=0"]
        let statuses = ["status/204", "status/404", "status/503", "uuid", "uuid", "uuid", "headers"]
        return (texts + moves + chunks + statuses).map { base.get($0) } + [
            base.head("bytes/100"), base.post("post").json(["n": 1.5]), base.put("put").fields(["a": "1", "b": "ü"]),
            base.post("post").multipart(name: "f", data: Data([0, 0xFF]), fileName: "f.bin"),
            base.patch("anything").data(Data([0xFF, 0xFE]), contentType: "application/octet-stream"),
            base.delete("delete"),
        ]
    }

    private func load(_ resource: NetworkResource) async -> Outcome {
        do {
            let response = try await resource.validate(status: .any).load()
            let dropped = ["transfer-encoding", "content-encoding", "content-length"]
            return Outcome(
                status: response.statusCode,
                fields: response.head?.headers.filter { !dropped.contains($0.name.canonicalName) }
                    .map { "\($0.name.rawName): \($0.value)" } ?? [],
                content: response.data ?? Data(),
                hops: response.metrics.redirects.map(\.statusCode)
            )
        } catch {
            return Outcome(error: error.code.rawValue)
        }
    }

    private func all(_ base: BaseResource) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for resource in requests(base) { outcomes.append(await load(resource)) }
        var streamed = Outcome()
        for try await part in try await base.get("range/20000").stream() { streamed.content += part }
        outcomes.append(streamed)
        // Identical requests at the same time: their answers, in any order.
        let same = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<8 { group.addTask { await load(base.get("uuid").query(["n": 1])) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return outcomes + same.sorted { $0.content.lexicographicallyPrecedes($1.content) }
    }

    private struct Stored: Decodable {
        struct Entry: Decodable {
            let method: String
            let url: String
            let status: Int
            let content: Data
        }

        let version: String
        let pages: [String]
        let entries: [Entry]
    }

    @Test("is replayed byte for byte with the server stopped, and haralyzer reads it")
    func replay() async throws {
        let name = folder.path("httpbin")
        var server: PeerServer? = try await PeerServer.httpbin()
        let url = try #require(server?.url)
        let port = try #require(server?.port)
        let base = BaseResource(url, networkInterface: swifty)
        let recorded = try await withCassette(name) { try await all(base) }
        server = nil
        #expect(!PeerServer.accepts(port: port))
        #expect(recorded.allSatisfy { $0.error == nil })
        #expect(Set(recorded.suffix(8).map(\.content)).count == 8)
        for _ in 0..<2 {
            let replayed = try await withCassette(name) { try await all(base) }
            #expect(replayed == recorded)
        }
        let read = try await Program.run(ExternalProgram.python, [ExternalProgram.peer("har.py"), "\(name).har"])
        #expect(read.status == 0, "\(read.errors)")
        let stored = try JSONDecoder().decode(Stored.self, from: read.bytes)
        let cassette = try Cassette(contentsOf: "\(name).har")
        #expect(stored.version == "1.2")
        #expect(stored.pages == ["unknown"])
        #expect(stored.entries.map(\.method) == cassette.entries.map(\.request.method))
        #expect(stored.entries.map(\.url) == cassette.entries.map(\.request.url))
        #expect(stored.entries.map(\.status) == cassette.entries.map(\.response.status))
        #expect(stored.entries.map(\.content) == cassette.entries.map { $0.response.content.bytes })
        #expect(stored.entries.contains { $0.url.hasSuffix("/image/png") && $0.content.starts(with: [0x89, 0x50]) })
    }

    @Test("becomes mock files that give the same answers")
    func export() async throws {
        let name = folder.path("httpbin")
        let server = try await PeerServer.httpbin()
        let base = BaseResource(server.url, networkInterface: swifty)
        let paths = ["json", "html", "image/png", "gzip", "status/503", "uuid", "stream/2", "robots.txt", "xml"]
        let recorded = try await withCassette(name) {
            var outcomes: [Outcome] = []
            for path in paths { outcomes.append(await load(base.get(path))) }
            return outcomes
        }
        var options = MockExport()
        options.indentsJSON = false
        let mocks = folder.path("Mocks")
        let files = try Cassette(contentsOf: "\(name).har").exportMocks(to: mocks, options)
        #expect(files.count == paths.count)
        for (path, outcome) in zip(paths, recorded) {
            let file = try #require(files.first { $0.hasPrefix("\(path).GET.") })
            #expect(file.hasSuffix(path == "image/png" ? ".response.json" : ".http"))
            var own = outcome
            own.fields.removeAll { $0.lowercased().hasPrefix("connection:") }
            let mocked = await load(base.get("x").mock(file: "\(mocks)/\(file)"))
            #expect(mocked == own, "\(path)")
        }
    }
}
