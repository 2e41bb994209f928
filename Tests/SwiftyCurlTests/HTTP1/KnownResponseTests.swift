// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// What llhttp's own tests give to its parser of responses, with bytes of our own: 85 cases, of which many differ only
/// in llhttp's settings or in the callback that pauses it.
@Suite("Responses that llhttp is tested with", .timeLimit(.minutes(15)))
struct KnownResponseTests {
    enum Outcome: Sendable, CustomTestStringConvertible {
        /// The response is refused.
        case refused
        /// The response has this content, and the connection is used again.
        case kept(String)
        /// The response has this content, and the connection is not used again.
        case last(String)
        /// The response ends with the connection and has this content.
        case closed(String)

        var testDescription: String { "\(self)" }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let next = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    static let connection: [(String, Outcome)] = [
        (ok + "Content-Length: 3\r\nProxy-Connection: close\r\n\r\nabc", .kept("abc")),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n" + next, .closed(next)),
        ("HTTP/1.0 204 None\r\nConnection: keep-alive\r\n\r\n" + next, .last("")),
        (ok + "\r\n" + next, .closed(next)),
        ("HTTP/1.1 204 None\r\n\r\n" + next, .last("")),
        ("HTTP/1.1 204 None\r\nConnection: close\r\n\r\n" + next, .last("")),
        ("HTTP/1.1 204 None\r\nConnection: close\r\n\r\n", .last("")),
        (ok + "Content-Length: 5\r\nConnection: close\r\n\r\nabcdefgh", .last("abcde")),
        (ok + "Content-Length: 3\r\nConnection: ,x ,, Close\t,y\r\n\r\nabcdef", .last("abc")),
        (ok + "Content-Length: 3\r\nConnection:x,close\r\n\r\nabcdef", .last("abc")),
        (ok + "Content-Length: 3\r\nConnection: closed, xclose,, close x,\r\n\r\nabc", .kept("abc")),
        (ok + "Content-Length: 3\r\nConnection:\r\nConnection: ,\r\n\r\nabc", .kept("abc")),
        (
            "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabcdef",
            .refused
        ),
        (
            "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\n\r\ndef", .refused
        ),
        (ok + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\nabc", .closed("abc")),
        (ok + "Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc", .kept("abc")),
        (
            ok + "Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", .kept("abc")
        ),
        ("HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n", .kept("")),
        ("HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n" + next, .last("")),
        ("HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked + "3\r\nabc\r\n0\r\n\r\n", .last("")),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Missing\r\nContent-Length: 3\r\n\r\nabc", .kept("abc")),
        // An empty line between the two is no part of either.
        ("HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 404 Missing\r\nContent-Length: 3\r\n\r\nabc", .refused),
        ("HTTP/1.1 103 Hints\r\nLink: </a>; rel=preload\r\n\r\n" + ok + "Content-Length: 3\r\n\r\nabc", .kept("abc")),
    ]

    static let lengths: [(String, Outcome)] = [
        (ok + "Server: s\r\nConnection: close\r\n\r\n<a>\n</a>\n", .closed("<a>\n</a>\n")),
        (ok + "Content-Length-X: 0\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .kept("abc")),
        (ok + "Content-Length:\t3\t\r\n\r\nabc", .kept("abc")),
        (ok + "Content-Length: 3\r\n\r\nabc", .kept("abc")),
        (ok + "\r\n", .closed("")),
        (ok + "Content-Length: 3\r\n\r\nabc" + next, .last("abc")),
    ]

    static let statusLines: [(String, Outcome)] =
        [
            "HTP/1.1 200 OK", "HTTP/01.1 200 OK", "HTTP/11.1 200 OK", "HTTP/1.01 200 OK", "HTTP/1.1\t200 OK",
            "\rHTTP/1.1\t200 OK", "HTTP/1.1 200 OK\r\nA: 1\rB: 2", "HTTP/1.1 200 OK\rContent-Length: 0",
            "HTTP/1.1 200 OK\r\rContent-Length: 4", "HTTP/5.6 200 OK", "HTTP/1.1 200 OK\r\n Host: a",
            "HTTP/1.1  200 OK", "HTTP/1.1 2 OK", "RTSP/1.1 200 OK", "ICE/1.1 200 OK", "HTTPER/1.1 200 OK",
            "HTTP/0.9 200 OK", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0",
        ].map { ($0 + "\r\n\r\n", .refused) }
        + [
            ("HTTP/1.1 200  OK\r\nContent-Length: 0\r\n\r\n", .kept("")),
            ("HTTP/1.1 404 Not Found\r\n\r\n", .closed("")), ("HTTP/1.1 301\r\n\r\n", .closed("")),
            ("HTTP/1.1 200 \r\n\r\n", .closed("")),
            // RFC 9112 §2.2: a recipient may take a bare LF for the end of a line.
            ("HTTP/1.1 200 OK\nContent-Length: 0\n\n", .kept("")),
            ("HTTP/1.1 200 OK\nA: b\nC: d\n\nabc\n", .closed("abc\n")),
            ("HTTP/1.1 200 OK\nConnection: close\n\nabc", .closed("abc")),
            ("HTTP/1.1 500 Erreur pr\u{e9}vue\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", .last("")),
        ]

    static let samples: [(String, Outcome)] = [
        (ok + "A: B\r\nC:\t D\r\nContent-Length: 0\r\n\r\n", .kept("")),
        ("HTTP/1.1 301 Moved\r\nX-$A-B: 1.6\r\nContent-Length:  3  \r\n\r\nabc", .kept("abc")),
        (
            "HTTP/1.1 301 Moved\r\nP: a=\"b\",C=\"d e\"\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\n\r\n",
            .kept("\n")
        ),
        (ok + "A_b: v7;x;0-0;;~c=1/2;d=e;;\r\nContent-Length: 0\r\n\r\n", .kept("")),
        (
            "HTTP/1.0 301 Moved\r\nPragma: \r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", .kept("")
        ),
        (
            // A folded option may be the one that closes the connection.
            ok + "Connection: keep-alive\r\n , close\r\nContent-Length: 3\r\n\r\nabc", .last("abc")
        ),
        (ok + "Connection: keep-alive\r\nX-A: b\r\n c\r\nContent-Length: 3\r\n\r\nabc", .kept("abc")),
        (
            ok + ".a: b\r\n_b: c\r\n_onnection: Keep-Alive\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "0\r\n\r\n", .last("")
        ),
        (ok + "en-US Content-Type: a/b\r\nContent-Length: 3\r\n\r\nabc", .refused),
    ]

    static let codings: [(String, Outcome)] = [
        (chunked + "3  \r\nabc\r\n0  \r\n\r\n", .refused),
        (ok + "Transfer-Encoding: chunked, deflate\r\n\r\nabc", .refused),
        (ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nabc", .refused),
        (ok + "Transfer-Encoding: chunkedchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .refused),
        (chunked + "1;a3;b=c\r\na\r\n2;d;e\r\nbc\r\n0\r\n\r\n", .kept("abc")),
        (chunked + "1;a=b\r\na\r\n2\r\nbc\r\n0\r\n\r\n", .kept("abc")),
        (chunked + "3 abc\r\nabc\r\n0 abc\r\n\r\n", .refused),
        (chunked + "3;\r\nabc\r\n0\r\n\r\n", .refused),
        (chunked + "1;a3=\"I; you\";b=\"c\";d;e=f\r\na\r\n2;g;h\r\nbc\r\n0\r\n\r\n", .kept("abc")),
        (chunked + "1;a=\"b\";c=\"d; e\r\na\r\n2\r\nbc\r\n0\r\n\r\n", .refused),
        (ok + "Transfer-Encoding: chunked\r\n  x\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .refused),
    ]

    static let all: [(String, Outcome)] = [connection, lengths, statusLines, samples, codings].flatMap { $0 }

    @Test(
        "are refused or accepted as RFC 9112 says, and only clean connections are used again",
        arguments: all
    )
    func outcome(_ answer: String, _ outcome: Outcome) async throws {
        let server = try ScriptedServer { connection in
            if connection > 0 { return [.readRequest, .respond(content: "fresh"), .stall] }
            if case .closed = outcome { return [.readRequest, .send(answer), .close] }
            return [.readRequest, .send(answer), .readRequest, .respond(content: "reused")]
        }
        let transport = CurlTransport()
        let first = await transport.result(of: try .to(server.url))
        switch (outcome, first) {
        case (.refused, .failure(let error)): #expect(error.code == .malformedResponse)
        case (.kept(let text), .success(let response)), (.last(let text), .success(let response)):
            #expect(response.text == text)
            #expect(response.metrics.isCompletenessProven)
        case (.closed(let text), .success(let response)):
            #expect(response.text == text)
            #expect(!response.metrics.isCompletenessProven)
        default: Issue.record("\(answer.debugDescription): \(first)")
        }
        let isKept = if case .kept = outcome { true } else { false }
        #expect(try await transport.get(server.url).text == (isKept ? "reused" : "fresh"))
        #expect(server.connectionCount == (isKept ? 1 : 2))
        await transport.shutdown()
    }
}
