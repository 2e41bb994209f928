// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SwiftyCommand

@Suite("Content that is printed as it arrives", .timeLimit(.minutes(15)))
struct StreamFormatTests {
    /// What is printed for each part, and at the end.
    private func printed(_ parts: [String], _ format: StreamFormat) -> [String] {
        printed(parts.map { Data($0.utf8) }, format)
    }

    private func printed(_ parts: [Data], _ format: StreamFormat) -> [String] {
        var format = format
        var result = parts.map { format.add($0) }
        result.append(format.end())
        return result.map { String(decoding: $0, as: UTF8.self) }
    }

    private func terminal(_ type: String?, style: Style? = nil) -> StreamFormat {
        StreamFormat(mediaType: type, isTerminal: true, MessageText(style: style, isFormatting: true))
    }

    @Test("stays as it is in a pipe")
    func bytes() {
        let format = StreamFormat(mediaType: "application/x-ndjson", isTerminal: false, MessageText())
        #expect(printed(["{\"a\"", ":1}\n{", "}"], format) == ["{\"a\"", ":1}\n{", "}", ""])
        #expect(printed([Data([0, 0x80])], StreamFormat()).count == 2)
    }

    @Test("has whole characters and a line end on a terminal")
    func text() {
        let euro = Array("€".utf8)
        let parts = [Data([0x61, euro[0]]), Data([euro[1]]), Data([euro[2], 0x62])]
        #expect(printed(parts, terminal("text/plain")) == ["a", "", "€b", "\n"])
        #expect(printed(["a\n"], terminal(nil)) == ["a\n", ""])
        #expect(printed([] as [String], terminal(nil)) == [""])
    }

    @Test("is shown on a terminal in the charset of its media type")
    func charset() {
        let parts = [Data([0x47, 0xF6]), Data([0xDF, 0x0A])]
        #expect(printed(parts, terminal("text/plain; charset=iso-8859-1")) == ["Gö", "ß\n", ""])
        let wide = [Data([0xFF, 0xFE, 0x61]), Data([0, 0x0A, 0])]
        #expect(printed(wide, terminal("text/plain; charset=utf-16")).joined() == "a\n")
        #expect(printed([Data([0xF6, 0x61])], terminal("text/plain; charset=nonsense"))[0].contains("not text"))
    }

    @Test("is refused on a terminal if it is not text")
    func refusal() {
        let remark = "(bytes that are not text; -o FILE saves them)\n"
        #expect(printed([Data("a".utf8), Data([0]), Data("b".utf8)], terminal(nil)) == ["a", "\n\(remark)", "", ""])
        #expect(printed([Data([0xFF, 0xFF, 0xFF, 0xFF])], terminal(nil))[0] == remark)
    }

    @Test("has colours in each line of JSON, once the line is complete")
    func lines() {
        let format = terminal("application/x-ndjson; charset=utf-8", style: Style())
        let shown = printed(["{\"a\"", ":1}\n\nnot JSON\n[", "2]"], format)
        #expect(shown[0].isEmpty)
        #expect(shown[1].contains("\u{1B}["))
        #expect(shown[1].hasSuffix("\n\nnot JSON\n"))
        #expect(shown[1].split(separator: "\n").count == 2, "a line stays one")
        #expect(shown[2].isEmpty)
        #expect(shown[3].hasSuffix("\n"))
    }
}
