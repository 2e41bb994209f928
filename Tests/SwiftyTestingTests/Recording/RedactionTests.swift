// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

@Suite("A text without its secrets", .timeLimit(.minutes(5)))
struct SecretScanTests {
    private func redact(_ text: String, as syntax: SecretScan.Syntax = .text) -> (text: String, found: Set<String>) {
        var found = Set<String>()
        let bytes = SecretScan.redact(Array(text.utf8), as: syntax, CassetteRedaction(), found: &found)
        return (String(decoding: bytes, as: UTF8.self), found)
    }

    @Test(
        "has what has no name of a secret, as it was",
        arguments: [
            "", "{", "\"", "\\", "\"\\", "{\"a\": [1, true, null, \"b\\u00e9\\\"\"]}", "a?b=c&d=e#f",
            "say \"hello\": x",
            "{\"ci_job_token_scope_enabled\": false, \"token\": null, \"token_type\": \"Bearer\", \"id\": 100001}",
            "{\"token_endpoint\": \"https://x/t\", \"key\": \"PROJ-1\", \"code\": 10000, \"total_tokens\": 30}",
            "{\"token\": \"\"}", "token=", "key=a b", "https://@h/x", "https://h/a@b", "monkey=1&design=2",
            "\u{0}\"token\"",
        ]
    )
    func unchanged(_ text: String) {
        #expect(redact(text).text == text)
        #expect(redact(text).found.isEmpty)
    }

    @Test(
        "has placeholders of the same types in JSON, in whatever text the JSON is",
        arguments: [
            (#"{"token":"abc","a":1}"#, #"{"token":"REDACTED","a":1}"#),
            (#"{"pass\u0077ord" : "abc"}"#, #"{"pass\u0077ord" : "REDACTED"}"#),
            (#"{"otp":123456,"pin":1}"#, #"{"otp":0,"pin":1}"#),
            (#"{"tokens":[1,{"otp":2,"expires_in":3600}]}"#, #"{"tokens":[0,{"otp":0,"expires_in":3600}]}"#),
            (
                #"{"session":{"id":"x","n":-1.5e3,"ok":true,"l":["y",{"z":"q"}]},"a":"b"}"#,
                #"{"session":{"id":"REDACTED","n":-1.5e3,"ok":true,"l":["REDACTED",{"z":"REDACTED"}]},"a":"b"}"#
            ),
            ("{\"secret\":\"a\"}\r\n{\"n\":1}\r\n", "{\"secret\":\"REDACTED\"}\r\n{\"n\":1}\r\n"),
            ("\u{FEFF}{\"secret\":\"a\"}", "\u{FEFF}{\"secret\":\"REDACTED\"}"),
            (
                "\u{1E}{\"secret\":\"a\"}\n\u{1E}{\"secret\":\"b\"}\n",
                "\u{1E}{\"secret\":\"REDACTED\"}\n\u{1E}{\"secret\":\"REDACTED\"}\n"
            ),
            (")]}'\n{\"secret\":\"a\"}", ")]}'\n{\"secret\":\"REDACTED\"}"),
            ("event: x\ndata: {\"secret\":\"a\"}\n\n", "event: x\ndata: {\"secret\":\"REDACTED\"}\n\n"),
            ("it's 5\" {\"secret\":\"a\"} \"", "it's 5\" {\"secret\":\"REDACTED\"} \""),
            (#"{"data":"{\"secret\":\"a\\u0062\"}"}"#, #"{"data":"{\"secret\":\"REDACTED\"}"}"#),
            (#"{"secret":"cut"#, #"{"secret":"REDACTED"#), (#"{"secret":["cut"#, #"{"secret":["REDACTED"#),
            (#"{"u":"https:\/\/x\/?a=1\u0026token=abc"}"#, #"{"u":"https://x/?a=1&token=REDACTED"}"#),
            (#"{"u":"https://raw.x/a?token=ABC","b":1}"#, #"{"u":"https://raw.x/a?token=REDACTED","b":1}"#),
        ]
    )
    func json(_ text: String, _ redacted: String) {
        #expect(redact(text).text == redacted)
    }

    @Test(
        "has URLs without their credentials and the values of secret parameters",
        arguments: [
            (
                "<https://x/?page=2&page_token=abc12>; rel=\"next\", <https://x/?page=9>; rel=\"last\"",
                "<https://x/?page=2&page_token=REDACTED>; rel=\"next\", <https://x/?page=9>; rel=\"last\"", "abc12"
            ),
            (
                "<a href=\"https://x/cb?a=1&amp;code=abc12#_=_\">",
                "<a href=\"https://x/cb?a=1&amp;code=REDACTED#_=_\">", "abc12"
            ),
            ("5; url=/next?token=abc12", "5; url=/next?token=REDACTED", "abc12"),
            ("see https://x/#access_token=abc12, please", "see https://x/#access_token=REDACTED please", "abc12"),
            ("git clone https://abc12@h/x", "git clone https://REDACTED@h/x", "abc12"),
            ("https://abc12:x-oauth-basic@h/x", "https://REDACTED@h/x", "x-oauth-basic"),
            ("https://user:p%40ss1@h/x", "https://REDACTED@h/x", "p@ss1"),
            ("access_token=abc12&scope=x", "access_token=REDACTED&scope=x", "abc12"),
        ]
    )
    func urls(_ text: String, _ redacted: String, _ secret: String) {
        #expect(redact(text).text == redacted)
        #expect(redact(text).found == [secret])
    }

    @Test("is read once: a megabyte of quotes, backslashes, braces or parameters takes no long time")
    func cost() {
        for piece in ["\"", "\\\"", "\\", "{", "[", "\"token\":", "\"token\":{", "?a", "&token=", "://", "\"a\\u0041"] {
            let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
            let start = ContinuousClock.now
            _ = redact(text)
            #expect(ContinuousClock.now - start < .seconds(60), "\(piece)")
        }
    }

    @Test("is the same after a second time, whatever the text is, and JSON stays JSON of the same shape")
    func anything() throws {
        let pieces = [
            "\"", "\\", "{", "}", "[", "]", ":", ",", "?", "&", "#", "=", "//", "@", "token", "a", "1", " ", "\n",
            "\u{E9}",
            "\"token\":", "\"a\":", "https://", "&amp;", "\\\"", "-1.5", "true", "null",
        ]
        var random = SplitMix(seed: 16)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let once = redact(text.joined()).text
            #expect(redact(once).text == once, "\(text.joined())")
        }
        for _ in 0..<2_000 {
            let json = Self.json(&random, depth: 0)
            let redacted = redact(json).text
            #expect(try Self.shape(of: redacted) == Self.shape(of: json), "\(json) \(redacted)")
            #expect(!redacted.contains("canary"), "\(redacted)")
        }
    }

    /// A value whose strings under names of secrets are canaries.
    private static func json(_ random: inout SplitMix, depth: Int, isSecret: Bool = false) -> String {
        switch Int.random(in: 0...(depth > 3 ? 3 : 6), using: &random) {
        case 0: return "\(Int.random(in: -100...100, using: &random))"
        case 1: return ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 2, 3: return isSecret ? #""canary\n\u0041""# : #""x \" https://h/?a=1 \/""#
        case 4:
            let elements = (0..<3).map { _ in json(&random, depth: depth + 1, isSecret: isSecret) }
            return "[\(elements.joined(separator: ", "))]"
        default:
            let names = ["a", "token", "Pass\\u0077ord", "key", "b\\\"c"]
            let members = names.map { name in
                let hides = isSecret || name == "token" || name.hasPrefix("Pass")
                return "\"\(name)\" : \(json(&random, depth: depth + 1, isSecret: hides))"
            }
            return "{\(members.joined(separator: ",\n"))}"
        }
    }

    /// JSON without the values of its strings and numbers.
    private static func shape(of text: String) throws -> String {
        func shape(_ value: Any) -> String {
            switch value {
            case let members as [String: Any]:
                let texts = members.sorted { $0.key < $1.key }.map { "\($0.key):\(shape($0.value))" }
                return "{\(texts.joined(separator: ","))}"
            case let elements as [Any]: return "[\(elements.map(shape).joined(separator: ","))]"
            case is String: return "s"
            case is NSNull: return "null"
            default: return "n"
            }
        }
        return shape(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
    }

    @Test("has known secrets only where a string or a whole number of JSON has them")
    func known() {
        let replacer = SecretReplacer(["false", "12345", "a&b==c"])
        func json(_ text: String) -> String? {
            replacer.replace(inJSON: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(json(#"{"archived":false,"id":123456,"n":12345}"#) == #"{"archived":false,"id":123456,"n":0}"#)
        #expect(json(#"{"a":"false","b":[12345]}"#) == #"{"a":"REDACTED","b":[0]}"#)
        #expect(json(#"{"url":"?t\u003da\u0026b\u003d\u003dc"}"#) == #"{"url":"?t=REDACTED"}"#)
        #expect(json(#"{"data":"{\"x\":\"a&b==c\"}"}"#) == #"{"data":"{\"x\":\"REDACTED\"}"}"#)
        #expect(json(#"{"a":1}"#) == nil)
        for text in ["a%26b%3D%3Dc", "a%26b%3d%3dc", "a&amp;b==c"] {
            #expect(replacer.replace(in: "x\(text)y") == "xREDACTEDy", "\(text)")
        }
        #expect(SecretReplacer(["a/b c"]).replace(in: "a/b%20c a%2fb+c a/b+c") == "REDACTED REDACTED REDACTED")
    }
}

@Suite("A cassette without secrets", .timeLimit(.minutes(5)))
struct RedactedReplayTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let base: BaseResource

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer { server in
            server.route("*", "/echo") {
                LoopbackResponse(body: $0.body).header("Content-Type", $0.query("type") ?? "x/y")
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
            base.get("coded").header(key: "Accept-Encoding", value: "gzip"),
            echo().multipart(name: "password", value: "cana")
                .multipart(data: Data([0, 0xFF, 0xFE]), withName: "file", fileName: "f", mimeType: "x/y")
                .multipart(name: "access_token", value: "canary-part"),
            echo("application/json").data(latin, mimeType: "application/json"),
            echo().data(Data(#"{"access_token":"canary-octets"}"#.utf8), mimeType: "application/octet-stream"),
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
                    #expect(response.string.contains("\"code\" : \"\(code)\""))
                }
            }
        }
        #expect(server.log.count == 2)
        // Other orders get their own answers, too.
        try await withCassette(folder.path("c"), mode: .none, redaction: redaction) {
            for code in ["FR", "DE"] {
                let response = try await base.get("anything").query(["code": code, "sort_key": "name"]).load()
                #expect(response.string.contains("\"code\" : \"\(code)\""))
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
        let body: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + little(UInt32(count) | UInt32(~count) << 16) + bytes
            + little(~table) + little(UInt32(bytes.count))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
