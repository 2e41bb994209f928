// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A cassette without secrets", .timeLimit(.minutes(15)))
struct RedactedReplayTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let base: BaseResource

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer { server in
            server.route("*", "/echo") {
                LoopbackResponse(content: $0.content).header("Content-Type", $0.query("type") ?? "x/y")
            }
        }
        base = BaseResource(server.url, networkInterface: Swifty())
    }

    /// Everything that is on the disk: names, contents, and contents decoded from Base64.
    private func everything() throws -> String {
        var all = ""
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            all += name + "\n"
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path(name), isDirectory: &isFolder)
            if !isFolder.boolValue { all += String(decoding: try folder.data(name), as: UTF8.self) }
        }
        for entry in (try? Cassette(contentsOf: folder.path("c.har")))?.entries ?? [] {
            for content in [entry.request.postData, entry.response.content] {
                all += String(decoding: content?.bytes ?? Data(), as: UTF8.self)
            }
        }
        return all
    }

    private struct Answer: Decodable, Equatable {
        struct Session: Decodable, Equatable { var id: String, count: Int, isNew: Bool }
        var ciJobTokenScopeEnabled: Bool, archived: Bool, id: Int, code: Int, tokenType: String, expiresIn: Int
        var session: Session, tokens: [String], key: String
    }

    @Test("is decoded as what was recorded, except for the secrets themselves")
    func types() async throws {
        let text = """
            {"ci_job_token_scope_enabled": false, "archived": false, "id": 100001, "code": 10000, "key": "PROJ-1",
            "token_type": "Bearer", "expires_in": 3600, "tokens": ["canary-1"],
            "session": {"id": "canary-2", "count": 7, "is_new": true}}
            """
        server.route("GET", "/answer") { _ in
            .text(text, type: "application/json")
                .header("Link", "</answer?page=2&page_token=canary>; rel=\"next\"")
                .header("Set-Cookie", "sid=canary-cookie; Path=/; HttpOnly")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var answers: [Answer] = []
        for _ in 0..<2 {
            let response = try await withCassette(folder.path("c")) { try await base.get("answer").load() }
            answers.append(try decoder.decode(Answer.self, from: response.data ?? Data()))
            #expect(response.head?["Link"]?.hasSuffix(">; rel=\"next\"") == true)
            #expect(response.head?["Set-Cookie"]?.hasPrefix("sid=") == true)
            #expect(response.head?["Set-Cookie"]?.hasSuffix("; Path=/; HttpOnly") == true)
        }
        #expect(server.log.count == 1)
        var expected = answers[0]
        (expected.tokens, expected.session) = (["REDACTED"], .init(id: "REDACTED", count: 7, isNew: true))
        #expect(answers[1] == expected)
        #expect(try !everything().contains("canary"))
    }

    @Test("has none in names, templates, reasons, parts, coded or Latin-1 content, and content of unknown types")
    func everywhere() async throws {
        server.route("GET", "/coded") { _ in
            .raw(Self.gzipped(#"{"access_token":"canary-coded","a":1}"#))
        }
        server.route("POST", "/login") { _ in
            .raw("HTTP/1.1 200 Token canary-login\r\nContent-Length: 31\r\n\r\n{\"access_token\":\"canary-login\"}\n")
        }
        let latin = Data(#"{"access_token":"canary-latin","name":"Jos"#.utf8) + [0xE9] + Data("\"}".utf8)
        func echo(_ type: String = "x/y") -> NetworkResourceWithBody { base.post("echo").query(["type": type]) }
        let resources: [NetworkResource] = [
            base.post("login"), base.get("sessions/canary-login").validate(status: [404]),
            base.get("coded").header("Accept-Encoding", "gzip"),
            echo().multipart(name: "password", value: "cana")
                .multipart(name: "file", data: Data([0, 0xFF, 0xFE]), fileName: "f", contentType: "x/y")
                .multipart(name: "access_token", value: "canary-part"),
            echo("application/json").data(latin, contentType: "application/json"),
            echo().data(Data(#"{"access_token":"canary-octets"}"#.utf8), contentType: "application/octet-stream"),
            echo("text/html").text(#"<script>x = {"apiKey": "canary-script", "privateKey":"canary-key"}</script>"#),
            echo().json(["password": String(repeating: "canary", count: 400)]).compressed(),
            base.get("anything").basic("canary-user", ""), base.get("anything").query(["a": "canary-user"]),
        ]
        for round in 0..<2 {
            try await withCassette(folder.path("c")) {
                for resource in resources { _ = try await resource.copy().load() }
            }
            #expect(server.log.count == resources.count, "round \(round)")
        }
        try Cassette(contentsOf: folder.path("c.har")).exportMocks(to: folder.path("Mocks"))
        let all = try everything()
        #expect(!all.contains("canary"), "\(all)")
        // Too short to be looked for where it has no name.
        let form = try Cassette(contentsOf: folder.path("c.har")).entries[3].request.postData
        #expect(form?.bytes?.firstRange(of: Data("\r\n\r\nREDACTED\r\n".utf8)) != nil)
        #expect(form?.bytes?.firstRange(of: Data("cana".utf8)) == nil)
    }

    @Test("keeps the values of names that are said to be plain")
    func plainNames() async throws {
        var redaction = CassetteRedaction()
        redaction.plainNames = ["Code", "sort_key"]
        for _ in 0..<2 {
            try await withCassette(folder.path("c"), redaction: redaction) {
                for code in ["DE", "FR"] {
                    let response = try await base.get("anything").query(["code": code, "sort_key": "name"]).load()
                    #expect(response.string?.contains("\"code\" : \"\(code)\"") == true)
                }
            }
        }
        #expect(server.log.count == 2)
        // Other orders get their own answers, too.
        try await withCassette(folder.path("c"), mode: .none, redaction: redaction) {
            for code in ["FR", "DE"] {
                let response = try await base.get("anything").query(["code": code, "sort_key": "name"]).load()
                #expect(response.string?.contains("\"code\" : \"\(code)\"") == true)
            }
        }
    }

    private static func gzipped(_ text: String) -> [UInt8] {
        // One stored block (RFC 1951 §3.2.4) in gzip (RFC 1952).
        let bytes = Array(text.utf8)
        let count = UInt16(bytes.count)
        var table: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            table ^= UInt32(byte)
            for _ in 0..<8 { table = table & 1 == 1 ? table >> 1 ^ 0xEDB8_8320 : table >> 1 }
        }
        let little = { (value: UInt32) in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let content: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + little(UInt32(count) | UInt32(~count) << 16) + bytes
            + little(~table) + little(UInt32(bytes.count))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(content.count)\r\n\r\n"
        return Array(head.utf8) + content
    }
}
