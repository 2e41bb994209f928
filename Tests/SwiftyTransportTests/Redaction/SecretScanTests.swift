// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SwiftyTransport

@Suite("A text without its secrets", .timeLimit(.minutes(15)))
struct SecretScanTests {
    private func redact(_ text: String, as syntax: SecretScan.Syntax = .text) -> (text: String, found: Set<String>) {
        var found = Set<String>()
        let bytes = SecretScan.redact(Array(text.utf8), as: syntax, found: &found)
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
        "has no value in quotes, whatever stands for the quotes",
        arguments: [
            ("password=&#x27;hunter2&#x27; b", "password=&#x27;REDACTED&#x27; b"),
            ("&#X22;password&#X22;: &#X22;hunter2&#X22;", "&#X22;password&#X22;: &#X22;REDACTED&#X22;"),
            ("password=&#039;hunter2&#039; b", "password=&#039;REDACTED&#039; b"),
            (#"password="p\\" token="q""#, #"password="REDACTED" token="REDACTED""#),
            (#"password="a\"b" c"#, #"password="REDACTED" c"#),
            (#"{\"password\":\"a\\\"b\",\"c\":1}"#, #"{\"password\":\"REDACTED\",\"c\":1}"#),
            ("password = \"\"\"\na\"b\n\"\"\" # c", "password = \"\"\"REDACTED\"\"\" # c"),
            ("password: '''a\nb", "password: '''REDACTED"),
            ("password: 'it''s' # c", "password: 'REDACTED' # c"), ("password=\"a\"\"b\";c", "password=\"REDACTED\";c"),
            ("password='' c", "password='' c"), ("password=`a\nb` c", "password=`REDACTED` c"),
            ("{\"password\": \"a\n{\"b\": 1}", "{\"password\": \"REDACTED\n{\"b\": 1}"),
            (#"{"a":"password=\"b\""} c"#, #"{"a":"password=\"REDACTED\""} c"#),
            ("password='a\nb", "password='REDACTED\nb"),
            (
                "password='a\n" + String(repeating: "b", count: 9_000) + "'",
                "password='REDACTED\n" + String(repeating: "b", count: 9_000) + "'"
            ),
        ]
    )
    func quotes(_ text: String, _ redacted: String) {
        #expect(redact(text).text == redacted)
    }

    @Test(
        "has placeholders of the same types in JSON, in whatever text the JSON is",
        arguments: [
            (#"{"token":"abc","a":1}"#, #"{"token":"REDACTED","a":1}"#),
            (#"{"pass\u0077ord" : "abc"}"#, #"{"pass\u0077ord" : "REDACTED"}"#),
            (#"{"otp":123456,"pine":1}"#, #"{"otp":0,"pine":1}"#),
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

    @Test("is read once: many quotes, backslashes, braces or parameters take no long time")
    func cost() {
        for piece in ["\"", "\\\"", "\\", "{", "[", "\"token\":", "\"token\":{", "?a", "&token=", "://", "\"a\\u0041"] {
            let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
            let start = ContinuousClock.now
            _ = redact(text)
            #expect(ContinuousClock.now - start < .seconds(60), "\(piece)")
        }
    }

    @Test(
        "is read once, whatever is repeated in it",
        arguments: [
            "a=", "a=%41", "a%3D", "code:", "code=", "key: ", "pin: ", "token:", "token=", "token: a ", "token='",
            "key=\"",
            "name: ", "<a b=c", "<a b='", "<token>", "<key>token</key>", "</token", "eyJ.", "eyJaaaaaaa.eyJ.", "basic ",
            "basic+", "Bearer ", "Bearer%20", "-----BEGIN ", "sk-", "SG.", "bot12345678:", "://a@",
            "{\"name\":\"token\",",
            "{\"value\":\"a\",", "token: |\n", "token: {", "&quot;", "\u{E9}", "\\\"token\\\":", "a,token\n", ";token=",
            "x: ",
        ]
    )
    func linear(piece: String) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let start = ContinuousClock.now
        _ = redact(text)
        _ = redact(text, as: .url)
        _ = redact("a,token\n" + text)
        #expect(ContinuousClock.now - start < .seconds(60))
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
        #expect(SecretReplacer(["RED", "E", "longer"]).replace(in: "longer RED E") == "REDACTED REDACTED REDACTED")
        let quoted = SecretReplacer(["\"quoted", "q\""])
        #expect(quoted.replace(inJSON: Array(#"{"a": "quoted", "b": "q"}"#.utf8)) == nil)
        let short = SecretReplacer(["ab", "abcd", "abc", "bcd"])
        #expect(short.replace(in: "abcd ab abc") == "REDACTED REDACTED REDACTED")
        #expect(SecretReplacer(["a/b c"]).replace(in: "a/b%20c a%2fb+c a/b+c") == "REDACTED REDACTED REDACTED")
    }
}
