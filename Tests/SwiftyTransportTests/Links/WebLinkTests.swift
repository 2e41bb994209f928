// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import TestSupport
import Testing

@testable import SwiftyTransport

@Suite("The links of a response", .timeLimit(.minutes(15)))
struct WebLinkTests {
    private func head(_ fields: [String]) -> ResponseHead {
        let lines = fields.map { "Link: \($0)\r\n" }.joined()
        return ResponseHead(statusCode: 200, reasonPhrase: "", httpVersion: .http1_1, rawFields: Array(lines.utf8))
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let field: String
        let links: [WebLink]
        var testDescription: String { field }

        init(_ field: String, _ links: (String, [String: String])...) {
            self.field = field
            self.links = links.map { WebLink(target: $0.0, parameters: $0.1) }
        }
    }

    static let examples = [
        Example("<a>; rel=next", ("a", ["rel": "next"])),
        Example("<a>;rel=\"next\"", ("a", ["rel": "next"])),
        Example("<a>", ("a", [:])),
        Example("<>; rel=next", ("", ["rel": "next"])),
        Example(
            "<https://api.example.com/r?page=2>; rel=\"next\", <https://api.example.com/r?page=5>; rel=\"last\"",
            ("https://api.example.com/r?page=2", ["rel": "next"]),
            ("https://api.example.com/r?page=5", ["rel": "last"])
        ),
        Example("<a,b;c>; rel=next,<d>", ("a,b;c", ["rel": "next"]), ("d", [:])),
        Example(" ,, <a> ; rel = next ,\t<b>\t;rel=\"x\" , ,", ("a", ["rel": "next"]), ("b", ["rel": "x"])),
        Example("<a>; title=\"b, <c>; rel=next\"; rel=last", ("a", ["title": "b, <c>; rel=next", "rel": "last"])),
        Example("<a>; title=\"q\\\"\\\\\\x\"", ("a", ["title": "q\"\\x"])),
        Example("<a>; REL=Next; rel=last", ("a", ["rel": "Next"])),
        Example("<a>; rel", ("a", ["rel": ""])),
        Example("<a>; ; rel=next;", ("a", ["rel": "next"])),
        Example("<a>; rel=next;type=text/html", ("a", ["rel": "next", "type": "text/html"])),
        Example(
            "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel",
            ("/TheBook/chapter2", ["rel": "previous", "title*": "letztes Kapitel"])
        ),
        Example(
            "<a>; title=plain; title*=utf-8''%e2%82%ac%20rates",
            ("a", ["title": "plain", "title*": "\u{20AC} rates"])
        ),
        Example("<a>; title*=ISO-8859-1''%e9; title=b", ("a", ["title*": "é", "title": "b"])),
        Example("<a>; title*=UTF-16''%e9; title=b", ("a", ["title": "b"])),
        Example("<a>; title*=UTF-8''%e9; x*=UTF-8''%; y*=UTF-8; z*=\"\"", ("a", [:])),
        Example("<\u{e9}>; title=\"\u{e9}\"", ("%C3%A9", ["title": "\u{e9}"])),
    ]

    @Test("are read with their parameters", arguments: examples)
    func reads(example: Example) {
        #expect(head([example.field]).links == example.links)
        #expect(head([example.field]).wellFormedLinks == example.links)
    }

    @Test("have relations that are compared without case, several in one parameter")
    func relations() {
        let links = head(["<a>; rel=\"Next  http://EXAMPLE.com/x\"; rel=prev"]).links
        #expect(links.map(\.relations) == [["next", "http://example.com/x"]])
        #expect(head(["<a>; rel=\"\", <b>"]).links.map(\.relations) == [[], []])
    }

    @Test("have the title of title*, or else of title")
    func title() {
        let links = head(["<a>; title=b; title*=UTF-8''c, <a>; title=b, <a>"]).links
        #expect(links.map(\.title) == ["c", "b", nil])
    }

    @Test("of several fields follow one another")
    func fields() {
        #expect(head(["<a>, <b>", "<c>"]).links.map(\.target) == ["a", "b", "c"])
        #expect(head([]).links.isEmpty)
        #expect(head([]).wellFormedLinks == [])
    }

    @Test(
        "end where a field is malformed",
        arguments: [
            "<a>, b", "<a>, <b", "<a>, <b>; rel=\"next", "<a>, <b>; rel=\"next\\", "<a>, <b>; rel=\"x\"y",
            "<a>, <b> rel=next", "<a>, <b>; re l=next", "<a>, <b>; \"rel\"=next", "<a>, <b><c>", "<a>, ; rel=next",
        ]
    )
    func malformed(field: String) {
        #expect(head([field]).links.map(\.target) == ["a"])
        #expect(head([field]).wellFormedLinks == nil)
        #expect(head([field, "<c>"]).links.map(\.target) == ["a", "c"])
    }

    @Test("of more than 64 KiB are refused where they decide")
    func size() {
        let link = "<" + String(repeating: "a", count: 40_000) + ">"
        #expect(head([link]).wellFormedLinks?.count == 1)
        #expect(head([link, link]).wellFormedLinks == nil)
        #expect(head([link, link]).links.count == 2)
    }

    @Test(
        "belong to the resource itself, unless they have another anchor",
        arguments: [
            (nil, true), ("https://a/b?c", true), ("?c", true), ("", true), ("HTTPS://A:443/x/../b?c", true),
            ("#x", false), ("/b", false), ("https://b/b?c", false), ("a b", false), ("urn:x", false),
        ]
    )
    func anchor(anchor: String?, isOwn: Bool) throws {
        let link = WebLink(target: "n", parameters: anchor.map { ["anchor": $0] } ?? [:])
        #expect(link.isOf(try TargetURI("https://a/b?c")) == isOwn)
    }

    @Test("never trap, and are read in one pass, whatever the bytes are")
    func random() {
        var generator = SplitMix(seed: 8_288)
        let words = [
            "<", ">", "\"", "\\", ";", ",", "=", " ", "rel", "next", "*", "UTF-8''", "%", "%e9", "\u{e9}", "'",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...16, using: &generator)
            let field = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            let head = head([field])
            #expect(head.links.count <= field.utf8.count)
            if let links = head.wellFormedLinks { #expect(links == head.links) }
        }
    }
}
