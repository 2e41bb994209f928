// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

/// A service whose transport answers by the path.
private final class Library: WebService {
    static let serverURL = "https://library.example/v1"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(answer)) {
        $0.retry = RetryPolicy(maximumAttempts: 1)
    }

    static func books(of author: String) -> NetworkResource { server.get("authors/{author}/books", ["author": author]) }
    static func page(_ number: Int) -> NetworkResource { server.get("pages").query(["page": number]) }
    static func first() -> NetworkResource { server.get("pages") }
    static func add(_ title: String) -> NetworkResource { server.post("books").json(["title": title]) }
    static func cover() -> NetworkResource { server.get("cover") }
    static func moved() -> NetworkResource { server.get("moved") }

    @Sendable
    private static func answer(_ request: NetworkRequest) throws -> TransportResponse {
        func response(_ fields: HTTPFields, _ body: Data = Data(), status: Int = 200) -> TransportResponse {
            TransportResponse(head: ResponseHead(statusCode: status, headers: fields), content: body)
        }
        switch request.target.path {
        case "/v1/books":
            let fields: HTTPFields = [
                .contentType: "application/json", .setCookie: "sid=canary-1", .location: "/b/1",
            ]
            return response(fields, Data(#"{"token":"canary-2","id":1}"#.utf8), status: 201)
        case "/v1/cover": return response([.contentType: "image/png"], Data([0x89, 0xFF, 0]))
        case "/v1/moved": return response([.location: "https://cdn.example/.hidden/a"], status: 302)
        case "/.hidden/a": return response([:], Data("there".utf8))
        case "/v1/authors/Nobody/books":
            throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent, reason: "the peer has left")
        default:
            let fields: HTTPFields = [.contentType: "text/plain", .connection: "close"]
            return response(fields, Data(request.target.string.utf8))
        }
    }
}

@Suite("The export of recorded answers", .timeLimit(.minutes(15)))
struct MockExportTests {
    private let folder: TemporaryFolder
    private var mocks: String { folder.path("Mocks") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func record() async throws -> Cassette {
        try await withCassette(folder.path("c")) {
            for resource in [
                Library.books(of: "Ada"), Library.books(of: "Bob"), Library.first(), Library.page(2), Library.add("x"),
                Library.cover(), Library.moved(),
            ] {
                try await resource.load()
            }
            await #expect(throws: SwiftyError.self) { try await Library.books(of: "Nobody").load() }
        }
        return try Cassette(contentsOf: folder.path("c.har"))
    }

    private static func entry(of url: String) -> HAREntry {
        HAREntry(
            HARRequest(method: "GET", url: url, headers: [], queryString: [], postData: nil, bodySize: 0),
            start: Date(),
            TransportResponse(
                head: ResponseHead(statusCode: 200),
                content: Data("x".utf8),
                metrics: TransferMetrics()
            ),
            content: nil
        )
    }

    @Test("gives files that answer the same requests in the same way, found by convention")
    func convention() async throws {
        let cassette = try await record()
        #expect(cassette.count == 9)
        let files = try cassette.exportMocks(to: mocks)
        #expect(
            files == [
                "cdn.example/%2Ehidden/a.GET.http", "library.example/authors/{author}/books.GET.http",
                "library.example/books.POST.http", "library.example/cover.GET.response.json",
                "library.example/first.GET.http", "library.example/moved.GET.http", "library.example/page.GET.http",
            ]
        )
        var policy = MockPolicy()
        policy.folder = "\(mocks)/library.example"
        try await withMocks(for: Library.self, policy: policy) {
            let books = try await Library.books(of: "Ada").load()
            #expect(books.string == "https://library.example/v1/authors/Ada/books")
            #expect(books.head?.headers.map(\.name) == [.contentType])
            let others = try await Library.books(of: "Bob").load().text()
            #expect(others == "https://library.example/v1/authors/Bob/books")
            let lost = await #expect(throws: SwiftyError.self) { try await Library.books(of: "Nobody").load() }
            #expect(lost?.code == .connectionLost)
            #expect(lost?.reason == "the peer has left")
            #expect(try await Library.page(2).load().string == "https://library.example/v1/pages?page=2")
            #expect(try await Library.first().load().string == "https://library.example/v1/pages")
            #expect(try await Library.cover().load().data == Data([0x89, 0xFF, 0]))
            let added = try await Library.add("x").load()
            #expect(added.statusCode == 201)
            #expect(added.head?["Location"] == "/b/1")
        }
        let all = try files.map {
            String(decoding: try Data(contentsOf: URL(filePath: "\(mocks)/\($0)")), as: UTF8.self)
        }
        #expect(!all.joined().contains("canary"))
        #expect(all.joined().contains("REDACTED"))
    }

    @Test("overwrites nothing unless it is asked to, and is whole or not at all")
    func existing() async throws {
        let cassette = try await record()
        let files = try cassette.exportMocks(to: mocks)
        let path = "\(mocks)/library.example/cover.GET.response.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(try #require(mode) & 0o400 != 0)
        #expect(mode.map { $0 & 0o044 } != 0, "the file is for everybody whom the mask allows")
        for name in files where !name.contains("cover") {
            try FileManager.default.removeItem(atPath: "\(mocks)/\(name)")
        }
        let exists = #expect(throws: SwiftyError.self) { try cassette.exportMocks(to: mocks) }
        #expect(exists?.code == .fileExists)
        #expect(exists?.reason == "the file \(path) exists")
        #expect(MockFolder(path: mocks)?.entries.map(\.name) == ["library.example/cover.GET.response.json"])
        var options = MockExport()
        options.overwrites = true
        #expect(try cassette.exportMocks(to: mocks, options) == files)
        try FileManager.default.moveItem(atPath: path, toPath: "\(mocks)/library.example/cover.GET.png")
        let other = #expect(throws: SwiftyError.self) { try cassette.exportMocks(to: mocks, options) }
        #expect(
            other?.reason.hasSuffix("exists, and answers the requests of library.example/cover.GET.response.json")
                == true
        )
        // A file in the place of a folder, in the middle of the export.
        let blocked = folder.path("blocked")
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        try folder.file("blocked/library.example", "")
        let failed = #expect(throws: SwiftyError.self) { try cassette.exportMocks(to: blocked) }
        #expect(failed?.code == .fileUnwritable)
        #expect(MockFolder(path: blocked)?.entries.map(\.name) == ["library.example"])
    }

    @Test("of one response gives a file that is read again")
    func response() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let response = try await base.get("gzip").query(["access_token": "canary-3"]).load()
        let path = folder.path("new/gzip.http")
        try response.exportMock(to: path)
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\nContent-Type: application/json\n"))
        #expect(!text.contains("Content-Encoding") && !text.contains("Content-Length") && !text.contains("canary"))
        let again = try await base.get("x").mock(file: path).load()
        let (one, other) = (try JSONValue(#require(response.data)), try JSONValue(#require(again.data)))
        #expect(one.differences(from: other) == [])
        #expect(throws: SwiftyError.self) { try response.exportMock(to: path) }
        let head = try await base.head("bytes/10").load()
        try head.exportMock(to: folder.path("head.http"))
        #expect(try await base.head("x").mock(file: folder.path("head.http")).load().head?["Content-Length"] == "10")
        let failed = NetworkResponse(error: SwiftyError(.connectionLost, stage: .head))
        let refused = #expect(throws: SwiftyError.self) { try failed.exportMock(to: folder.path("x.http")) }
        #expect(refused?.code == .mockUnavailable)
    }

    @Test("leaves out content that a response cannot have", arguments: [204, 304], ["a.http", "a.response.json"])
    func noContent(status: Int, name: String) async throws {
        let base = BaseResource("https://a.example", networkInterface: Swifty(transport: StubTransport(status: 500)))
        let mocked = base.get("x").validate(status: .any).mock(data: Data("a".utf8), status: status)
        try await mocked.load().exportMock(to: folder.path(name))
        let again = try await base.get("x").validate(status: .any).mock(file: folder.path(name)).load()
        #expect(again.statusCode == status)
        #expect(again.data ?? Data() == Data())
        // Of a cassette, in which the length of a response to HEAD stays.
        var entries = [Self.entry(of: "https://a.example/y"), Self.entry(of: "https://a.example/z")]
        entries[0].response.status = status
        entries[1].request.method = "HEAD"
        entries[1].response.headers = [HARPair(name: "Content-Length", value: "7")]
        let files = try Cassette(path: "c.har", entries: entries).exportMocks(to: mocks)
        #expect(files == ["y.GET.http", "z.HEAD.http"])
        let text = String(decoding: try folder.data("Mocks/y.GET.http"), as: UTF8.self)
        #expect(text == "HTTP/1.1 \(status)\n")
        let head = String(decoding: try folder.data("Mocks/z.HEAD.http"), as: UTF8.self)
        #expect(head == "HTTP/1.1 200\nContent-Length: 7\n")
    }

    @Test("refuses two kinds of requests that would get one file, and writes nothing")
    func collision() throws {
        let names = [("/v1/books", "users"), ("/v1/books", "books"), ("/users", nil)]
        let entries = names.map { path, name in
            var entry = Self.entry(of: "https://a.example\(path)")
            entry._name = name
            return entry
        }
        let cassette = Cassette(path: "c.har", entries: entries)
        let error = #expect(throws: SwiftyError.self) { try cassette.exportMocks(to: mocks) }
        #expect(error?.code == .fileExists)
        #expect(
            error?.reason == "different requests would get the mock files users.GET.http and users.GET.http, which "
                + "answer the same requests: name one of them with name(_:)"
        )
        #expect(!FileManager.default.fileExists(atPath: mocks))
    }

    @Test("leaves the folder of another program's cassette only by its name, never by its URLs")
    func hostileNames() throws {
        let urls = [
            "https://a.example/../../x", "https://a.example/%2e%2e/y", "https://u:canary@a.example/.git/config", "/",
            "",
        ]
        let files = try Cassette(path: "c.har", entries: urls.map(Self.entry)).exportMocks(to: mocks)
        for file in files {
            #expect(!file.split(separator: "/").contains("..") && !file.contains("canary"), "\(file)")
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(made == ["Mocks"])
        #expect(MockFolder(path: mocks)?.entries.map(\.name).sorted() == files)
    }
}
