// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import Testing

@testable import SwiftyCurl
@testable import SwiftyTestServers

/// The parsers of HTTP/1.1 responses, and those of the embedded server for requests.
@Suite("Parsers of messages", .serialized, .timeLimit(.minutes(15)))
struct WireCostTests {
    private static let rules: TransportSettings.Responses = {
        var rules = TransportSettings.Responses()
        rules.headLimit = .max
        rules.trailerLimit = .max
        rules.fieldCountLimit = .max
        rules.informationalLimit = .max
        rules.strictness = .lenient
        return rules
    }()

    private static func head(_ name: String, _ start: String, _ unit: String) -> ParserCostTests.Parser {
        .init("a head of \(name)") { length in
            let text = Array(
                String.long("HTTP/1.1 200 OK\r\n" + start, repeating: unit, bytes: length, "\r\n\r\n").utf8
            )
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                .map { Array($0) + [UInt8(ascii: "\n")] }
            return {
                var collector = HeadCollector(rules: rules)
                for line in lines where line.withUnsafeBufferPointer({ collector.append($0) }) != nil { break }
                _ = collector.head?.headers
            }
        }
    }

    private static func chunks(_ unit: String, pieces: Int = .max) -> ParserCostTests.Parser {
        .init("chunks of \(unit.debugDescription)\(pieces == .max ? "" : " in pieces of \(pieces)")") { length in
            let text = Array(String.long(repeating: unit, bytes: length).utf8)
            return {
                var decoder = ChunkedDecoder(rules: rules)
                text.withUnsafeBytes { bytes in
                    for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
                        var rest = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(min(pieces, bytes.count)))
                        while !rest.isEmpty, let event = try? decoder.next(in: &rest) {
                            if case .end = event { return }
                        }
                        if !rest.isEmpty { return }
                    }
                }
            }
        }
    }

    static let responses =
        [
            head("fields", "", "A: b\r\n"), head("folded lines", "A: b\r\n", " c\r\n"),
            head("one long field", "A: ", "a"),
            head("blanks", "A:", " "), head("one long name", "", "a"), head("codings", "Transfer-Encoding: ", "gzip,"),
            head("lengths", "", "Content-Length: 5\r\n"), head("a list of lengths", "Content-Length: ", "5,"),
            head("returns", "A: b", "\r"), head("early hints", "\r\n", "HTTP/1.1 103 Early\r\nA: b\r\n\r\n"),
        ]
        + ["0", "1\r\na\r\n", "1;", "1;a=\"\\\\\"", "0\r\nA: b\r\n", "0\r\n\r\n", "F", "1;a=b;c\r\na\r\n"]
        .flatMap { [chunks($0), chunks($0, pieces: 1), chunks($0, pieces: 7)] }

    static let requests =
        ParserCostTests.Parser.text("a multipart's parameter", ["; ", ";a=b", "; name", ";name=\"a", "\\", "\""]) {
            text in
            _ = MultipartContent.parameter("boundary", of: text)
        }
        + ParserCostTests.Parser.text("a form", ["a=b&", "&", "%41", "%", "+", "="]) { _ = FormContent.items($0) }
        + ParserCostTests.Parser.text(
            "multipart content",
            ["\r\n--b\r\n\r\n", "\r\n--", "-", "\r\n--b", "\r\n\r\n", "a"]
        ) { text in
            _ = MultipartContent(Data(text.utf8), contentType: "multipart/form-data; boundary=b")
        }
        + ParserCostTests.Parser.text("a request's head", ["A: b\r\n", "\r\n", "a ", ":", "GET / HTTP/1.1\r\n"]) {
            text in
            let head = try? RequestHead(Array("GET / HTTP/1.1\r\nHost: a\r\n\(text)\r\n".utf8))
            _ = try? head?.framing()
        }

    @Test("take time in proportion to the length", arguments: responses + requests)
    func growth(_ parser: ParserCostTests.Parser) {
        let growth = [0, 1].lazy.map { _ in Cost.growth(parser.prepare) }.first { $0 < Cost.bearable } ?? .infinity
        #expect(growth < Cost.bearable, "an input \(Cost.factor) times as long costs too much")
    }
}
