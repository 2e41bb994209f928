// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A secret", .timeLimit(.minutes(15)))
struct CassetteSecretTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// All bytes of all files in the folder, also of hidden and temporary ones.
    private func bytes() throws -> Data {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(into: Data()) { all, name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path(name), isDirectory: &isFolder)
            if !isFolder.boolValue { all += try folder.data(name) }
        }
    }

    /// A server that repeats the request's content, and sets secrets of its own.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("*", "/echo") { request in
                LoopbackResponse(
                    status: 200,
                    headers: [
                        ("Content-Type", request.query("type") ?? "text/plain"),
                        ("Set-Cookie", "sid=canary-set-cookie; Path=/"), ("Set-Cookie", "b=canary-second-cookie"),
                        ("Location", "http://user:canary-userinfo@other.example/?code=canary-code"),
                        ("Link", "<https://other.example/?access_token=canary-link>; rel=next"),
                        ("X-Echo", request["Authorization"] ?? ""), ("X-Api-Key", "canary-api-key"),
                    ],
                    content: request.content
                )
            }
        }
    }

    @Test("is in no file of the folder, wherever it was: fields, query, JSON, forms, parts, cookies, URLs")
    func everywhere() async throws {
        let server = try server()
        let base = BaseResource(server.url, networkInterface: Swifty())
        func echo(_ type: String) -> NetworkResourceWithBody {
            base.post("echo").query(["type": type, "token": "canary-query/1 2"])
        }
        let json =
            #"{"user":{"Pass\u0077ord":"canary-json"},"tokens":["canary-array"],"note":"canary-json, canary\/slash"}"#
        let lines = #"{"secret":"canary-line"}"# + "\nno JSON\n" + #"{"n":1,"api_key":"canary-line-2"}"# + "\n"
        let resources: [NetworkResource] = [
            echo("text/plain").basic("ada", "canary-password").text("canary-password YWRhOmNhbmFyeS1wYXNzd29yZA=="),
            echo("text/plain").bearer("canary-bearer").header("Cookie", "sid=canary-cookie")
                .text("canary-bearer\u{301}\r\ncanary-cookie canary-query%2F1+2 canary-set-cookie"),
            echo("application/json").text(json, contentType: "application/json"),
            echo("application/x-ndjson").text(lines, contentType: "application/x-ndjson"),
            echo("text/html").fields(["password": "canary/form \"x\"", "other": "canary/form \"x\""]),
            echo("application/octet-stream").bearer("canary-binary").data(Data([0xFF]) + Data("canary-binary".utf8)),
            echo("text/plain").multipart(name: "password", value: "canary-part").multipart(name: "a", value: "b"),
            base.get("status/200").query(["a": "canary-own-value", "signature": "canary-signature"]),
        ]
        var redaction = CassetteRedaction()
        redaction.values = ["canary-own-value", "canary/slash"]
        var recorded: [Data?] = []
        for round in 0..<2 {
            let contents = try await withCassette(folder.path("c"), redaction: redaction) {
                // Nothing reaches the disk before the end.
                let own = try bytes()
                #expect(round == 1 || own.isEmpty)
                var contents: [Data?] = []
                for resource in resources { contents.append(try await resource.copy().load().data) }
                return contents
            }
            if round == 0 { recorded = contents }
            #expect(contents.count == resources.count)
        }
        #expect(server.log.count == resources.count, "the second round was replayed")
        #expect(recorded[0]?.firstRange(of: Data("canary".utf8)) != nil, "the caller gets what the server sent")
        try Cassette(contentsOf: folder.path("c.har")).exportMocks(to: folder.path("Mocks"))
        let all = try bytes()
        let text = String(decoding: all, as: UTF8.self)
        #expect(all.firstRange(of: Data("canary".utf8)) == nil, "\(text)")
        #expect(all.firstRange(of: Data("YWRhOmNhbmFyeS1wYXNzd29yZA".utf8)) == nil)
        for entry in try Cassette(contentsOf: folder.path("c.har")).entries {
            for content in [entry.request.postData, entry.response.content] {
                #expect(content?.bytes?.firstRange(of: Data("canary".utf8)) == nil)
            }
        }
        #expect(text.contains(#"{\"secret\":\"REDACTED\"}\nno JSON\n{\"n\":1,\"api_key\":\"REDACTED\"}\n"#))
    }

    @Test("that one response tells is in no other exchange, and the replay still finds these")
    func elsewhere() async throws {
        let server = try LoopbackServer()
        let calls = Counter()
        server.route("POST", "/login") { _ in .text(#"{"access_token":"canary-0123"}"#, type: "application/json") }
        server.route("GET", "/sessions/{id}") { _ in .text("\(calls.increment())") }
        let base = BaseResource(server.url, networkInterface: Swifty())
        for _ in 0..<2 {
            try await withCassette(folder.path("c")) {
                try await base.post("login").load()
                let first = try await base.get("sessions/{id}", ["id": "canary-0123"]).load().text()
                let second = try await base.get("sessions/{id}", ["id": "another"]).load().text()
                let third = try await base.post("anything").json(["note": "for canary-0123"]).load().statusCode
                #expect((first, second) == ("1", "2"))
                #expect(third == 200)
            }
        }
        #expect(server.log.count == 4)
        #expect(try bytes().firstRange(of: Data("canary".utf8)) == nil)
        let urls = try Cassette(contentsOf: folder.path("c.har")).entries.map(\.request.url)
        #expect(urls[1] == "\(server.url)/sessions/REDACTED")
        let other = await #expect(throws: SwiftyError.self) {
            try await withCassette(folder.path("c")) {
                _ = try await base.get("sessions/canary-0123/x").load()
            }
        }
        #expect(other?.code == .mockUnavailable)
    }

    @Test("stays if that is asked for")
    func off() async throws {
        let server = try server()
        let resource = BaseResource(server.url, networkInterface: Swifty()).post("echo").text("x").bearer(
            "canary-bearer"
        )
        try await withCassette(folder.path("c"), redaction: .off) { try await resource.load() }
        let all = try bytes()
        for secret in ["canary-bearer", "canary-set-cookie", "canary-userinfo"] {
            #expect(all.firstRange(of: Data(secret.utf8)) != nil)
        }
    }

    @Test("of another program's cassette is not exported, and does not stand in the way of a replay")
    func foreign() async throws {
        let entry = HAREntry(
            HARRequest(
                method: "GET",
                url: "https://u:canary-userinfo@x.example/a?token=canary-query",
                headers: [HARPair(name: "Authorization", value: "Bearer canary-field")],
                queryString: [],
                postData: nil,
                bodySize: 0
            ),
            start: Date(),
            TransportResponse(
                head: ResponseHead(statusCode: 200, headers: [.setCookie: "a=canary-cookie"]),
                content: Data("canary-field".utf8),
                metrics: TransferMetrics()
            ),
            content: nil
        )
        try Cassette(path: folder.path("c.har"), entries: [entry]).write()
        let files = try Cassette(contentsOf: folder.path("c.har")).exportMocks(to: folder.path("Mocks"))
        #expect(files == ["a.GET.http"])
        let text = String(decoding: try folder.data("Mocks/a.GET.http"), as: UTF8.self)
        #expect(text == "HTTP/1.1 200\nSet-Cookie: a=REDACTED\n\nREDACTED\n")
        let base = BaseResource("https://x.example", networkInterface: Swifty())
        var own = entry
        own.request.url = "https://x.example/a?token=canary-query"
        try Cassette(path: folder.path("c.har"), entries: [own]).write()
        try await withCassette(folder.path("c")) {
            let text = try await base.get("a").query(["token": "another"]).load().text()
            #expect(text == "canary-field")
        }
    }
}
