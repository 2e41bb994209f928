// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("What AWS Signature Version 4 covers", .timeLimit(.minutes(15)))
struct SignatureV4RuleTests {
    private typealias Message = SignatureV4.Message

    private static let date = SignatureV4.exampleDate
    private static let signer = SignatureV4.example()

    private func signedNames(_ fields: [String]) -> String {
        Self.signer.steps(for: Message("GET /", fields: fields), at: Self.date).signedNames
    }

    @Test(
        "is the path as it is sent, encoded once more",
        arguments: [
            ("/a%20b", "/a%2520b"), ("/%3Fa=b+c", "/%253Fa%3Db%2Bc"), ("/%zz%", "/%25zz%25"), ("", "/"),
            ("a/b", "/a/b"),
            ("/a/b/..", "/a"), ("/a/b/../", "/a/"), ("/a/.", "/a"), ("/a//b", "/a/b"), ("/...", "/..."),
            ("/%2E%2E/a", "/%252E%252E/a"), ("/\u{301}/a", "/%CC%81/a"),
        ]
    )
    func path(sent: String, signed: String) {
        #expect(Self.signer.canonicalPath(sent) == signed)
    }

    @Test(
        "is the query decoded, encoded again and sorted",
        arguments: [
            (nil, ""), ("", ""), ("a", "a="), ("a=", "a="), ("=b", "=b"), ("=", "="), ("&&a&", "a="),
            ("a=b=c", "a=b%3Dc"),
            ("b=1&a=2&a=10&a", "a=&a=10&a=2&b=1"), ("a=%zz%4%", "a=%25zz%254%25"), ("%61=%7e%2f/", "a=~%2F%2F"),
            ("a=b+c%2Bd%20e", "a=b%20c%2Bd%20e"), ("a=%ff", "a=%FF"), ("a-b=1&a=2", "a=2&a-b=1"), ("A&a&_", "A=&_=&a="),
            ("a=\u{301}", "a=%CC%81"), ("\u{1234}&b", "%E1%88%B4=&b="),
        ]
    )
    func query(sent: String?, signed: String) {
        #expect(SignatureV4.canonicalQuery(SignatureV4.parameters(of: sent)) == signed)
    }

    @Test("is not what changes on the way, or what the transport adds")
    func unsigned() {
        let names = [
            "Accept-Encoding", "AUTHORIZATION", "Baggage", "Connection", "Cookie", "Expect", "Forwarded",
            "HTTP2-Settings",
            "Keep-Alive", "Max-Forwards", "Proxy-Authorization", "Proxy-Connection", "Sec-WebSocket-Key", "TE",
            "traceparent", "tracestate", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Via",
            "X-Amzn-Trace-Id",
            "X-Forwarded-For",
        ]
        #expect(signedNames(names.map { "\($0): a" }) == "host;x-amz-date")
    }

    @Test("is every other field")
    func signed() {
        let fields = [
            "Range: a", "X-Amz-Meta-B: a", "Content-Type: a", "content-length: 0", "Cache-Control: a", "x-b: a",
        ]
        let names = "cache-control;content-length;content-type;host;range;x-amz-date;x-amz-meta-b;x-b"
        #expect(signedNames(fields) == names)
    }

    @Test("is one line for each field, with its values trimmed and joined")
    func values() {
        let fields = ["X: \t a \r\n b\t\tc  ", "x:", "y:", "X:\"d  e\""]
        let request = Self.signer.steps(for: Message("GET /", fields: fields), at: Self.date).canonicalRequest
        let lines = request.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines[3...6] == ["host:example.amazonaws.com", "x:a b c,,\"d e\"", "x-amz-date:20150830T123600Z", "y:"]
        )
    }

    @Test("is what signing sets, and not what an earlier signature or the caller has set")
    func replaced() {
        let signer = SignatureV4.example(token: "t", options: .s3)
        let message = Message("GET /?a=b", fields: ["Accept: a"])
        var signed = message
        let earlier = Date(timeIntervalSince1970: 0)
        signed.fields += signer.fields(for: message, at: earlier) + [("HOST", "other.example")]
        #expect(signer.steps(for: signed, at: Self.date) == signer.steps(for: message, at: Self.date))
        signed.query = "a=b&" + signer.presignedQuery(for: message, at: earlier, expiresAfter: 1).dropFirst(4)
        let query = signer.presignedQuery(for: signed, at: Self.date, expiresAfter: 60)
        #expect(query == signer.presignedQuery(for: message, at: Self.date, expiresAfter: 60))
    }

    @Test("keeps the order of the parameters of a presigned URL")
    func presigned() {
        let message = Message("GET /?z=1+2&a=%zz&z=0&&x", fields: ["X-Amz-Acl: private", "User-Agent: a"])
        let query = Self.signer.presignedQuery(for: message, at: Self.date, expiresAfter: .max)
        #expect(
            query.hasPrefix("z=1%202&a=%25zz&z=0&x=&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F")
        )
        #expect(query.contains("&X-Amz-Expires=9223372036854775807&X-Amz-SignedHeaders=host%3Bx-amz-acl&"))
    }

    @Test(
        "is the second of the signature, from 1970 to 9999",
        arguments: [
            (0, "19700101T000000Z"), (-0.5, "19700101T000000Z"), (951_782_399.999, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"), (253_402_300_800, "99991231T235959Z"), (.nan, "19700101T000000Z"),
            (.infinity, "99991231T235959Z"), (-.infinity, "19700101T000000Z"), (1e300, "99991231T235959Z"),
        ]
    )
    func times(seconds: Double, timestamp: String) {
        let time = SignatureV4.Time(Date(timeIntervalSince1970: seconds))
        #expect(time.timestamp == timestamp)
        #expect(time.day == timestamp.prefix(8))
    }

    @Test("is empty strings, if everything is empty")
    func empty() {
        let credentials = SignatureV4.Credentials(accessKeyID: "", secretAccessKey: "", sessionToken: "")
        let signer = SignatureV4(credentials: credentials, region: "", service: "")
        let message = Message(method: "", host: "", path: "", query: "", fields: [("", "")], payloadHash: "")
        let steps = signer.steps(for: message, at: Self.date)
        #expect(steps.canonicalRequest == "\n/\n\n:\nhost:\nx-amz-date:20150830T123600Z\n\n;host;x-amz-date\n")
        #expect(signer.fields(for: message, at: Self.date).map(\.name) == ["X-Amz-Date", "Authorization"])
    }

    @Test("can be large")
    func large() {
        let count = 20_000
        var message = Message("GET /")
        message.path = String(repeating: "/../a%zz", count: count)
        message.query = String(repeating: "a=%zz&", count: count)
        message.fields = (0..<count).map { ("n\($0 % 100)", "  a  b  ") }
        let signer = SignatureV4.example(token: String(repeating: "t", count: count))
        #expect(signer.fields(for: message, at: Self.date).count == 3)
        #expect(signer.presignedQuery(for: message, at: Self.date, expiresAfter: 60).utf8.count > count * 8)
    }

    @Test("does not show secrets")
    func description() {
        let signer = SignatureV4.example(token: "token-of-the-session")
        var dumped = ""
        dump(signer, to: &dumped)
        for text in [dumped, "\(signer)", String(reflecting: signer)] {
            #expect(text.contains("AKIDEXAMPLE"))
            #expect(!text.contains("wJalrX") && !text.contains("token-of-the-session"))
        }
    }
}
