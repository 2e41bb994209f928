// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Parsing an HTTP/1 response", .timeLimit(.minutes(15)))
struct ResponseParserTests {
    /// The result of parsing bytes, and then the end of the connection.
    fileprivate struct Result: Equatable, CustomStringConvertible {
        var informational: [Int] = []
        var status: Int?
        var content: [UInt8] = []
        var trailers: [UInt8] = []
        /// Whether the response was complete before the end of the connection.
        var isComplete = false
        /// Whether the end of the connection completed it.
        var isCompletedByEnd = false
        /// The number of bytes behind the response.
        var excess = 0
        var error: ResponseError?

        var text: String { String(decoding: content, as: UTF8.self) }
        var description: String {
            "\(informational) \(status ?? 0) \(text.debugDescription) \(isComplete) \(isCompletedByEnd) \(excess) "
                + "\(error.map { "\($0)" } ?? "")"
        }
    }

    @Test("a folded line that looks like a field costs the connection, another one does not")
    func foldedField() throws {
        for (line, isReused) in [("b", true), ("Content-Length: 5", false)] {
            let parser = ResponseParser(method: .get, rules: TransportSettings.Responses())
            try take("HTTP/1.1 200 OK\r\nX-A: a\r\n \(line)\r\nContent-Length: 0\r\n\r\n", parser)
            #expect(parser.isComplete)
            #expect(parser.allowsReuse == isReused)
        }
    }

    @Test("a response that ended with its connection says nothing about the next one")
    func restart() throws {
        let parser = ResponseParser(method: .get, rules: TransportSettings.Responses())
        try take("HTTP/1.1 200 OK\r\n\r\nabc", parser)
        let isEnded = parser.receiveEndOfConnection()
        #expect(isEnded)
        #expect(!parser.isCompletenessProven)
        parser.restart(method: .get)
        try take("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", parser)
        #expect(parser.isCompletenessProven)
        #expect(parser.allowsReuse)
    }

    /// Has a parser consume a text, whatever its events are.
    private func take(_ text: String, _ parser: ResponseParser) throws {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes
            while try parser.next(in: &rest) != nil {}
        }
    }

    private func parse(
        _ message: [UInt8],
        in step: Int,
        method: HTTPRequest.Method,
        rules: TransportSettings.Responses
    ) -> Result {
        let parser = ResponseParser(method: method, rules: rules)
        var result = Result()
        for start in stride(from: 0, to: message.count, by: step) where result.error == nil {
            Array(message[start..<min(start + step, message.count)]).withUnsafeBytes { bytes in
                var rest = bytes
                do throws(ResponseError) {
                    while let event = try parser.next(in: &rest) { result.add(event) }
                } catch {
                    result.error = error
                }
                if result.isComplete { result.excess += rest.count }
            }
        }
        if result.error == nil, !result.isComplete { result.isCompletedByEnd = parser.receiveEndOfConnection() }
        return result
    }

    /// Parses the message as a whole and in pieces of every small length, which must give equal results.
    private func parse(
        _ message: String,
        method: HTTPRequest.Method = .get,
        rules: TransportSettings.Responses = TransportSettings.Responses()
    ) -> Result {
        let bytes = Array(message.utf8)
        let whole = parse(bytes, in: max(bytes.count, 1), method: method, rules: rules)
        for step in 1...9 {
            let pieces = parse(bytes, in: step, method: method, rules: rules)
            #expect(pieces == whole, "\(message.debugDescription) in \(step)")
        }
        return whole
    }

    @Test(
        "the framing of the content follows from method, status and fields",
        arguments: [
            ("GET", "200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc", true),
            ("GET", "200 OK\r\ncontent-length:003\r\n\r\nabc", "abc", true),
            ("GET", "200 OK\r\nContent-Length: 0\r\n\r\n", "", true),
            ("GET", "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc", true),
            ("GET", "204 No Content\r\n\r\n", "", true),
            ("GET", "304 Not Modified\r\nContent-Length: 9\r\n\r\n", "", true),
            ("HEAD", "200 OK\r\nContent-Length: 9\r\n\r\n", "", true),
            ("HEAD", "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "", true),
            ("GET", "200 OK\r\n\r\nabc", "abc", false), ("GET", "200 OK\r\n\r\n", "", false),
            ("POST", "201\nLocation: /x\n\n", "", false),
        ]
    )
    func framing(_ method: String, _ message: String, _ content: String, _ isComplete: Bool) throws {
        let method = try #require(HTTPRequest.Method(method))
        let result = parse("HTTP/1.1 " + message, method: method)
        #expect(result.error == nil)
        #expect(result.text == content)
        #expect(result.isComplete == isComplete)
        #expect(result.isCompletedByEnd != isComplete)
        #expect(result.excess == 0)
        if isComplete { #expect(parse("HTTP/1.1 " + message + "HTTP/1.1", method: method).excess == 8) }
    }

    @Test("informational responses come before the final one")
    func informational() {
        let result = parse(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
                + "Content-Length: 1\r\n\r\nx"
        )
        #expect(result.informational == [100, 103])
        #expect(result.status == 200)
        #expect(result.text == "x")
        #expect(result.isComplete)
    }

    @Test("trailers are events of the end")
    func trailers() {
        let result = parse(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\nrest"
        )
        #expect(String(decoding: result.trailers, as: UTF8.self) == "A: b\r\nC: d\r\n")
        #expect(result.excess == 4)
    }

    @Test("a folded trailer continues the line before")
    func foldedTrailer() {
        let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        let result = parse(start + "A: b\r\n \tc: d\r\nE: f\r\n\r\n")
        #expect(String(decoding: result.trailers, as: UTF8.self) == "A: b c: d\r\nE: f\r\n")
    }

    @Test(
        "a response that is cut off is not complete",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\nA: b\r\n\r\n",
        ]
    )
    func cutOff(_ message: String) {
        for length in 0..<message.utf8.count {
            let result = parse(String(decoding: message.utf8.prefix(length), as: UTF8.self))
            #expect(result.error == nil)
            #expect(!result.isComplete && !result.isCompletedByEnd, "the first \(length) bytes")
        }
        #expect(parse(message).isComplete)
    }

    @Test(
        "a response that violates the grammar is refused",
        arguments: [
            "\r\nHTTP/1.1 200 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n",
            "HTTP/1.1 200 OK\r\n a: b\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\na\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\n\rA: b\r\n\r\n",
        ]
    )
    func malformed(_ message: String) {
        guard case .malformed = parse(message).error else {
            Issue.record("\(message.debugDescription) was accepted")
            return
        }
    }

    @Test("a line without an end is refused at the limit of the head")
    func endlessLine() {
        let rules = TransportSettings.Responses.with { $0.headLimit = 100 }
        for beginning in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n"] {
            let result = parse(beginning + String(repeating: "a", count: 101), rules: rules)
            guard case .tooLarge = result.error else {
                Issue.record("\(beginning.debugDescription) was continued without end: \(result)")
                return
            }
        }
    }
}

extension ResponseParserTests.Result {
    fileprivate mutating func add(_ event: ResponseParser.Event) {
        switch event {
        case .informational(let head): informational.append(head.statusCode)
        case .head(let head): status = head.statusCode
        case .content(let bytes): content += bytes
        case .end(let trailers):
            self.trailers = trailers
            isComplete = true
        }
    }
}
