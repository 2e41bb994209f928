// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

// Responses with every framing of RFC 9112 §6, and those that a strict reader must refuse.

extension Conformance {
    /// Responses that HTTP allows.
    static let framing = AnswerRow.scenarios("framing", accepted) + splitResponses

    /// Responses that two readers could understand differently.
    static let violations = AnswerRow.scenarios("violations", badHeads + badLengths + badCodings + badChunks)

    /// Responses whose connection ends too early.
    static let truncations = AnswerRow.scenarios("truncation", cut)

    private static let (ok, chunked, short) = (AnswerRow.ok, AnswerRow.chunked, AnswerRow.short)

    private static let accepted: [AnswerRow] = [
        .accepted("content-length", "Content has its announced length.", short + "\r\nabc"),
        .accepted("content-length-zero", "Content may be announced as empty.", ok + "Content-Length: 0\r\n\r\n", ""),
        .accepted("content-length-zeros", "A length may have leading zeros.", ok + "Content-Length: 0003\r\n\r\nabc"),
        .accepted("chunked", "Chunks are joined.", chunked + "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"),
        .accepted(
            "chunked-upper-case",
            "The size of a chunk is hexadecimal in any case, with leading zeros.",
            chunked + "00A\r\n0123456789\r\n00a\r\n0123456789\r\n0\r\n\r\n",
            "01234567890123456789"
        ),
        .accepted(
            "chunked-extension",
            "Extensions of chunks are ignored.",
            chunked + "3;a=b;c=\"d;e\"\r\nabc\r\n0;f\r\n\r\n"
        ),
        .accepted("chunked-empty", "The last chunk may be the only one.", chunked + "0\r\n\r\n", ""),
        .accepted(
            "chunked-trailers",
            "Fields may follow the last chunk.",
            chunked + "3\r\nabc\r\n0\r\nX-Digest: 1\r\nX-End: 2\r\n\r\n"
        ),
        .accepted("close", "Content may end with the connection.", ok + "\r\nabc", closes: true),
        .accepted(
            "close-http-1.0",
            "An HTTP/1.0 response ends with its connection.",
            "HTTP/1.0 200 OK\r\n\r\nabc",
            closes: true
        ),
        .accepted(
            "connection-close",
            "A length counts even if the connection is closed.",
            short + "Connection: close\r\n\r\nabc",
            closes: true
        ),
        .accepted("no-reason", "The reason phrase may be empty.", "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc"),
        .accepted("bare-line-feeds", "A line may end in LF alone.", "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"),
        .accepted("folded-field", "A folded field is one field.", short + "X-A: b\r\n c\r\n\r\nabc"),
        .accepted("no-content", "A 204 has no content.", "HTTP/1.1 204 No Content\r\n\r\n", "", status: 204),
        .accepted(
            "not-modified",
            "A 304 has no content, whatever its length says.",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            "",
            status: 304
        ),
        .accepted(
            "head",
            "The response to HEAD has no content, whatever its length says.",
            ok + "Content-Length: 9\r\n\r\n",
            "",
            method: .head
        ),
        .accepted(
            "continue",
            "An unasked 100 precedes the response.",
            "HTTP/1.1 100 Continue\r\n\r\n" + short + "\r\nabc"
        ),
        .accepted(
            "early-hints",
            "Several informational responses precede the response.",
            "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + short + "\r\nabc"
        ),
        .accepted(
            "redirect-without-location",
            "A redirect without a Location is a response.",
            "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n",
            "",
            status: 301
        ),
        .accepted(
            "unknown-status",
            "An unknown status is a response.",
            "HTTP/1.1 799 Own\r\nContent-Length: 3\r\n\r\nabc",
            status: 799
        ),
    ]

    private static let splitResponses: [ConformanceScenario] = [
        ConformanceScenario("framing/byte-by-byte", "A response may come one byte at a time.") { run in
            let bytes = Array((chunked + "3\r\nabc\r\n0\r\n\r\n").utf8)
            let steps = bytes.flatMap { [ScriptedServer.Step.send([$0]), .pause(.milliseconds(1))] }
            let server = try run.server { _ in [.readRequest] + steps + [.stall] }
            try expect("the content", try await run.transport().text(of: server.url), is: "abc")
        },
        ConformanceScenario("framing/large", "Large content arrives whole.") { run in
            let piece = String(repeating: "0123456789abcdef", count: 4_096)
            let sends = [ScriptedServer.Step](repeating: .send(piece), count: 64)
            let head = ScriptedServer.Step.send(ok + "Content-Length: \(piece.utf8.count * 64)\r\n\r\n")
            let server = try run.server { _ in [.readRequest, head] + sends + [.stall] }
            let response = try await run.transport().load(.to(server.url))
            try expect("the number of bytes", response.content.count, is: piece.utf8.count * 64)
            try expect(response.text == String(repeating: piece, count: 64), "the bytes are not those that were sent")
        },
    ]

    private static let badHeads: [AnswerRow] = [
        .refused("not-http", "Another protocol is no response.", "SSH-2.0-OpenSSH_9.2p1\r\n\r\n"),
        .refused(
            "http-0.9",
            "A response has a version that exists.",
            "HTTP/0.9 200 OK\r\nContent-Length: 3\r\n\r\nabc"
        ),
        .refused("status-short", "A status has three digits.", "HTTP/1.1 20 OK\r\nContent-Length: 3\r\n\r\nabc"),
        .refused("status-long", "A status has no fourth digit.", "HTTP/1.1 2000 OK\r\nContent-Length: 3\r\n\r\nabc"),
        .refused("status-text", "A status is a number.", "HTTP/1.1 abc OK\r\nContent-Length: 3\r\n\r\nabc"),
        .refused("no-colon", "A field has a colon.", short + "No colon\r\n\r\nabc"),
        .refused("no-name", "A field has a name.", short + ": b\r\n\r\nabc"),
        .refused("name-with-space", "A field's name has no space.", short + "X A: b\r\n\r\nabc"),
        .refused("space-before-colon", "No space precedes the colon.", ok + "Content-Length : 3\r\n\r\nabc"),
        .refused("nul", "A field's value has no NUL.", short + "X-A: b\0c\r\n\r\nabc"),
        .refused("bare-return", "A field's value has no bare CR.", short + "X-A: b\rc\r\n\r\nabc"),
        .refused("folded-first", "The first field is not folded.", ok + " X-A: b\r\nContent-Length: 3\r\n\r\nabc"),
        .refused(
            "switching",
            "An unasked switch of protocols is refused.",
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        ),
    ]

    private static let badLengths: [AnswerRow] = [
        ("twice", "Two lengths differ.", "5\r\nContent-Length: 3"), ("list", "Two lengths differ in a list.", "3, 5"),
        ("text", "A length is a number.", "3abc"), ("hex", "A length is decimal.", "0x3"),
        ("plus", "A length has no plus.", "+3"), ("negative", "A length has no minus.", "-3"),
        ("empty", "A length is not empty.", ""),
        ("overflow", "A length that no number holds is refused.", "99999999999999999999999"),
        ("folded", "A length is not folded.", "1\r\n 2"),
    ].map { name, sentence, value in
        .refused("length-\(name)", sentence, ok + "Content-Length: \(value)\r\n\r\nabc", closes: name == "overflow")
    }

    private static let badCodings: [AnswerRow] = [
        .refused(
            "length-and-chunked",
            "A length and chunks exclude each other.",
            ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            closes: true
        ),
        .refused(
            "chunked-twice",
            "Chunks are not nested.",
            ok + "Transfer-Encoding: chunked, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            closes: true
        ),
        .refused(
            "chunked-not-last",
            "Chunks are the last coding.",
            ok + "Transfer-Encoding: chunked, identity\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            closes: true
        ),
        .refused(
            "unknown-coding",
            "Another transfer coding is refused.",
            ok + "Transfer-Encoding: xchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            closes: true
        ),
    ]

    private static let badChunks: [AnswerRow] = [
        ("size-text", "The size of a chunk is a number.", "xyz\r\nabc\r\n0\r\n\r\n"),
        ("size-negative", "The size of a chunk has no minus.", "-3\r\nabc\r\n0\r\n\r\n"),
        ("size-prefix", "The size of a chunk has no prefix.", "0x3\r\nabc\r\n0\r\n\r\n"),
        ("size-overflow", "The size of a chunk fits into a number.", "fffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
        ("size-missing", "A chunk has a size.", "\r\nabc\r\n0\r\n\r\n"),
        ("line-feed", "The line of a size does not end in LF alone.", "3\nabc\r\n0\r\n\r\n"),
        ("too-long", "A chunk has its size.", "3\r\nabcX\r\n0\r\n\r\n"),
        ("trailer", "A trailer has a colon.", "3\r\nabc\r\n0\r\nno colon\r\n\r\n"),
    ].map { name, sentence, bytes in .refused("chunk-\(name)", sentence, chunked + bytes) }

    private static let cut: [AnswerRow] = [
        .cut("no-response", "A connection that ends without a response is lost.", "", [.firstByte], .maybeSent),
        .cut(
            "in-head",
            "A head without its empty line is no response.",
            ok + "X-A: b\r\n",
            [.firstByte, .head],
            .maybeSent
        ),
        .cut(
            "content-length-short",
            "Content shorter than announced is no success.",
            ok + "Content-Length: 9\r\n\r\nshort",
            [.content],
            .responded
        ),
        .cut(
            "content-missing",
            "Announced content that does not come is no success.",
            ok + "Content-Length: 9\r\n\r\n",
            [.content],
            .responded
        ),
        .cut("in-chunk", "A chunk that is cut off is no success.", chunked + "5\r\nab", [.content], .responded),
        .cut(
            "between-chunks",
            "Content without its last chunk is no success.",
            chunked + "2\r\nab\r\n",
            [.content],
            .responded
        ),
        .cut(
            "in-last-chunk",
            "A last chunk that is cut off is no success.",
            chunked + "2\r\nab\r\n0\r\n",
            [.content],
            .responded
        ),
        .cut(
            "after-hints",
            "Informational responses are no response.",
            "HTTP/1.1 103 Hints\r\n\r\n",
            [.firstByte, .head],
            .maybeSent
        ),
    ]
}
