// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import SwiftyTestServers
import Testing

@testable import Swifty
@testable import SwiftyTransport

/// The cost of parsing is proportional to the length of the text.
@Suite("Parsers of a server's bytes", .serialized, .timeLimit(.minutes(15)))
struct ParserCostTests {
    /// A parser, as work for an input of a length.
    struct Parser: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let prepare: @Sendable (Int) -> () -> Void

        init(_ name: String, _ prepare: @escaping @Sendable (Int) -> () -> Void) {
            (testDescription, self.prepare) = (name, prepare)
        }

        /// One parser for each unit that a text can repeat.
        static func text(_ name: String, _ units: [String], _ read: @escaping @Sendable (String) -> Void) -> [Parser] {
            units.map { unit in
                Parser("\(name) of \(unit.debugDescription)") { length in
                    let text = String.long(repeating: unit, bytes: length)
                    return { read(text) }
                }
            }
        }
    }

    private static let request = (try? TargetURI("https://www.example.com/a/b")).map {
        NetworkRequest(method: .get, target: $0)
    }

    private static func head(_ status: Int, _ name: String, _ values: [String]) -> ResponseHead {
        let lines = values.map { "\(name): \($0)\r\n" }.joined()
        return ResponseHead(statusCode: status, reasonPhrase: "", httpVersion: .http1_1, rawFields: Array(lines.utf8))
    }

    static let challenges = [
        Parser("challenges, one in each field") { length in
            let head = head(401, "WWW-Authenticate", (0..<length / 32).map { "Digest realm=r\($0), nonce=n" })
            return { _ = SupportedChallenge.all(in: head) }
        },
        Parser("challenges, many in each field") { length in
            let field = (0..<500).map { "Digest realm=r\($0), nonce=n" }.joined(separator: ", ")
            let head = head(401, "WWW-Authenticate", Array(repeating: field, count: 1 + length / field.utf8.count))
            return { _ = SupportedChallenge.all(in: head) }
        },
        Parser("challenges of other schemes") { length in
            let head = head(401, "WWW-Authenticate", (0..<length / 32).map { "Scheme\($0) a=1" })
            return { _ = SupportedChallenge.all(in: head) }
        },
        Parser("fields without a challenge") { length in
            let head = head(
                401,
                "WWW-Authenticate",
                Array(repeating: String.long(repeating: ", ", bytes: 16_000), count: 1 + length / 16_000)
            )
            return { _ = SupportedChallenge.all(in: head) }
        },
    ]

    static let cookies =
        Parser.text("Set-Cookie", ["a=b;", ";", "=", " ", "\t=", "a=b; path=/", "expires=1 ", "ä", "domain=a.b;"]) {
            text in
            _ = try? SetCookie(parsing: Array(text.utf8))
        }
        + Parser.text("a cookie's date", ["1 ", "a", "1:", "99:99:99 ", "jan ", "/", "0", "2020 "]) {
            _ = CookieDate.parse($0)
        }
        + Parser.text("a public suffix", ["a.", ".", "a", "ä.", "xn--a.", "1."]) { text in
            _ = PublicSuffixList.system.registrableDomain(of: text)
            _ = PublicSuffixList.system.isPublicSuffix(text)
        }
        + Parser.text("punycode", ["a", "ä", "\u{10FFFF}", "aä"]) { _ = Punycode.asciiLabel($0) }
        + Parser.text(
            "a cookie file",
            [
                "\n", "# a\n", "a\tFALSE\t/\tFALSE\t0\tn\tv\n", "\t", "x", "#HttpOnly_a\tTRUE\t/\tTRUE\t9\tn\tv\n",
            ]
        ) { text in
            _ = try? CookieFile.parse(Array(text.utf8), path: "/x", now: Date())
        }
        + [
            Parser("cookies of one response") { length in
                let head = head(200, "Set-Cookie", (0..<length / 24).map { "n\($0)=v; domain=example.com" })
                let jar = CookieJar()
                return { if let request { jar.store(from: head, of: request.target) } }
            }
        ]

    static let fields =
        Parser.text("Retry-After", ["1", " ", "a", ",", "Sun, "]) { _ = RetryAfter.delay($0, now: Date()) }
        + Parser.text("RateLimit", ["r=1;", ",", "\"a\";r=1;t=2,", "limit=1,", " "]) { text in
            _ = ReportedRateLimit(head(200, "RateLimit", [text]).headers)
        }
        + Parser.text("Link", ["<a>", ";", "rel=next", ",", "\"", "\\", "<", " ", "t*=UTF-8''%20"]) { text in
            _ = head(200, "Link", [text]).links
        }
        + Parser.text("Authentication-Info", ["a=b, ", "\"", "\\", ",", "nextnonce=\"a\\\"\", "]) {
            _ = AuthenticationInfo($0)
        }
        + Parser.text(
            "Location",
            [
                "a/", "../", "./", "/", "?", "#", "%41", "@", ":", "ü", "a.", "http://", "//", "[", "\\",
            ]
        ) { text in
            guard let request else { return }
            for prefix in ["", "http://", "http://a/", "/", "?"] {
                _ = try? RedirectLocation(head(302, "Location", [prefix + text]), of: request)
            }
        }
        + Parser.text("Content-Encoding", ["gzip,", ",", "a", "identity, ", " "]) { text in
            guard var request else { return }
            try? Swifty.ContentDecoding().addAcceptEncoding(to: &request)
            let answer = TransportResponse(head: head(200, "Content-Encoding", [text]), content: Data([1]))
            _ = try? Swifty.ContentDecoding().decode(answer, to: request)
        }
        + Parser.text("a head", ["a: b\r\n", "\r\n", ":", "a", "a:\r\n", "\n", "a: ", "ä: b\r\n"]) { text in
            let head = ResponseHead(
                statusCode: 200,
                reasonPhrase: "",
                httpVersion: .http1_1,
                rawFields: Array(text.utf8)
            )
            _ = head.headers[.contentType]
            _ = head.mayHaveField("content-encoding")
        }
        + Parser.text("redaction", ["token=a&", "&", "=", "a", "Authorization: x\n", "\"password\":\"a\","]) { text in
            _ = Redactor().parameters(text)
        }

    static let contents = [ContentCoding.gzip, .deflate].flatMap { coding in
        [
            Parser("\(coding) of nothing but starts") { length in
                let content = Data(repeating: 0x1F, count: length)
                return { decode(content, [coding]) }
            },
            Parser("\(coding) of empty members") { length in
                let member: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
                let content = Data(repeatElement(member, count: max(1, length / member.count)).joined())
                return { decode(content, [coding]) }
            },
            Parser("\(coding) of empty blocks, twice") { length in
                let content = Data(repeatElement([0, 0, 0, 0xFF, 0xFF] as [UInt8], count: max(1, length / 5)).joined())
                return { decode(content, [coding, coding]) }
            },
        ]
    }

    private static func decode(_ content: Data, _ codings: [ContentCoding]) {
        var chain = try? DecodingChain(codings, DecodingLimits(bytes: 32 << 20, ratio: 256))
        _ = try? chain?.decode(content)
    }

    @Test("take time in proportion to the length", arguments: [challenges, cookies, fields, contents].flatMap(\.self))
    func growth(_ parser: Parser) {
        // A second try, in case the machine was busy during the first.
        let growth = [0, 1].lazy.map { _ in Cost.growth(parser.prepare) }.first { $0 < Cost.bearable } ?? .infinity
        #expect(
            growth < Cost.bearable,
            "an input \(Cost.factor) times as long costs \(Cost.growth(parser.prepare)) times as much"
        )
    }
}
