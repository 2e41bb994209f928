// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("The parser of event streams", .timeLimit(.minutes(15)))
struct EventParserTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let content: String
        let events: [ServerSentEvent]
        var testDescription: String { content.debugDescription }

        init(_ content: String, _ events: ServerSentEvent...) {
            self.content = content
            self.events = events
        }
    }

    /// The examples of WHATWG HTML §9.2.6.
    static let standard = [
        Example("data: YHOO\ndata: +2\ndata: 10\n\n", ServerSentEvent(data: "YHOO\n+2\n10")),
        Example(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            ServerSentEvent(data: "first event", id: "1"),
            ServerSentEvent(data: "second event"),
            ServerSentEvent(data: " third event")
        ),
        Example("data\n\ndata\ndata\n\ndata:\n", ServerSentEvent(data: ""), ServerSentEvent(data: "\n")),
        Example("data:test\n\ndata: test\n\n", ServerSentEvent(data: "test"), ServerSentEvent(data: "test")),
        Example(
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
            ServerSentEvent(type: "add", data: "73857293"),
            ServerSentEvent(type: "remove", data: "2153"),
            ServerSentEvent(type: "add", data: "113411")
        ),
    ]

    static let others = [
        Example(""),
        Example("\n\n\n"),
        Example("data: a\n"),
        Example("data: a\n\n\n\n", ServerSentEvent(data: "a")),
        Example("\u{FEFF}data: a\n\n", ServerSentEvent(data: "a")),
        Example("\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", ServerSentEvent(data: "b")),
        Example("data: a\n\n\u{FEFF}data: b\n\n", ServerSentEvent(data: "a")),
        Example("data: a\r\rdata: b\r\n\r\ndata: c\n\r", .init(data: "a"), .init(data: "b"), .init(data: "c")),
        Example("data: a\r\n\n", ServerSentEvent(data: "a")),
        Example("data: a\ndata: b\rdata: c\r\ndata\n\n", ServerSentEvent(data: "a\nb\nc\n")),
        Example(":\n:comment\n: data: a\ndata:b:c\n\n", ServerSentEvent(data: "b:c")),
        Example(" data: a\nDATA: b\ndatas: c\ndat: d\nx\n: \n::\ndata : e\n\n"),
        Example("event: a\n\ndata: b\n\n", ServerSentEvent(data: "b")),
        Example("event: a\nevent: b\ndata: c\n\n", ServerSentEvent(type: "b", data: "c")),
        Example("event: a\nevent:\ndata: c\n\n", ServerSentEvent(data: "c")),
        Example("id: 1\n\ndata: a\n\n", ServerSentEvent(data: "a", id: "1")),
        Example("id: 1\ndata: a\n\ndata: b\n\n", .init(data: "a", id: "1"), .init(data: "b", id: "1")),
        Example("id: 1\nid: 2\u{0}\ndata: a\n\n", ServerSentEvent(data: "a", id: "1")),
        Example("id: ä b \ndata: a\n\n", ServerSentEvent(data: "a", id: "ä b ")),
        Example("retry: 1500\ndata: a\n\ndata: b\n\n", .init(data: "a", retry: .milliseconds(1500)), .init(data: "b")),
        Example("retry: 15.5\nretry: -1\nretry:\nretry: 1s\nretry:  1\ndata: a\n\n", ServerSentEvent(data: "a")),
        Example("retry: 99999999999999999999\ndata: a\n\n", ServerSentEvent(data: "a")),
    ]

    @Test("gives the same events however the content is divided", arguments: standard + others)
    func divided(example: Example) throws {
        for parts in divisions(of: Data(example.content.utf8)) {
            #expect(try events(of: parts) == example.events)
        }
    }

    private func events(of parts: [Data]) throws -> [ServerSentEvent] {
        var parser = EventParser(limit: 1_000)
        var events: [ServerSentEvent] = []
        for part in parts {
            parser.append(part)
            while let event = try parser.next() { events.append(event) }
        }
        return events
    }

    @Test("returns an event with the byte that ends it, and does not wait for an LF after a CR")
    func promptness() throws {
        var parser = EventParser(limit: 100)
        parser.append(Data("data: a\r\r".utf8))
        #expect(try parser.next()?.data == "a")
        #expect(try parser.next() == nil)
        parser.append(Data("\ndata: b\r".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("\r".utf8))
        #expect(try parser.next()?.data == "b")
    }

    @Test("repairs text that is not UTF-8")
    func malformed() throws {
        let bytes = Data("data: a".utf8) + [0xFF, 0xC3, 0x0A] + Data("event: ".utf8) + [0x80, 0x0A, 0x0A]
        #expect(try events(of: [bytes]) == [ServerSentEvent(type: "\u{FFFD}", data: "a\u{FFFD}\u{FFFD}")])
    }

    @Test("keeps the ID of complete events only, and the reconnection time, for the next connection")
    func nextConnection() throws {
        var parser = EventParser(limit: 100, lastEventID: "0")
        #expect(parser.lastEventID == "0")
        parser.append(Data("data: a\n\nid: 1\n\nid: 2\nretry: 10\ndata: lost\n".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "a", id: "0"))
        #expect(try parser.next() == nil)
        var next = parser.forNextConnection()
        #expect(next.lastEventID == "1")
        #expect(next.reconnectionTime == .milliseconds(10))
        next.append(Data("\u{FEFF}data: b\n\n".utf8))
        #expect(try next.next() == ServerSentEvent(data: "b", id: "1"))
    }

    @Test("refuses an event above the limit, in one line or in many, and not a comment that never ends an event")
    func limit() throws {
        let fits = "data: 123456\ndata: 78901\n\n"
        let long = "data: 123456\ndata: 789012\n\n"
        let longLine = "event: 123456\n\n"
        let comments = String(repeating: ":1234567\n", count: 1_000) + "data: a\n\n"
        for parts in divisions(of: Data(fits.utf8)) { #expect(try limited(parts) == ["123456\n78901"]) }
        for parts in divisions(of: Data(long.utf8)) + divisions(of: Data(longLine.utf8)) {
            let error = #expect(throws: SwiftyError.self) { try limited(parts) }
            #expect(error?.code == .elementTooLarge)
        }
        #expect(try limited([Data(comments.utf8)]) == ["a"])
    }

    private func limited(_ parts: [Data]) throws -> [String] {
        var parser = EventParser(limit: 12)
        var data: [String] = []
        for part in parts {
            parser.append(part)
            while let event = try parser.next() { data.append(event.data) }
        }
        return data
    }

    @Test("agrees with a plain reading of the standard on random content")
    func random() throws {
        var generator = SplitMix(seed: 92)
        let words = ["data", "event", "id", "retry", ":", ":", " ", "\n", "\n", "\r", "\r\n", "a", "1", "\u{0}", "ä"]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...24, using: &generator)
            let text = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            let expected = PlainEvents.events(of: text)
            for parts in divisions(of: Data(text.utf8)) {
                #expect(try events(of: parts) == expected, "\(text.debugDescription)")
            }
        }
    }
}

/// The algorithm of WHATWG HTML §9.2.6 on a whole text, word for word.
private enum PlainEvents {
    static func events(of text: String) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var (data, type, id) = ("", "", "")
        var retry: Duration?
        for line in lines(of: text) {
            if line.isEmpty {
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    let name = type.isEmpty ? "message" : type
                    events.append(ServerSentEvent(type: name, data: data, id: id, retry: retry))
                }
                (data, type, retry) = ("", "", nil)
                continue
            }
            let scalars = line.unicodeScalars
            let colon = scalars.firstIndex(of: ":")
            let name = String(scalars[..<(colon ?? scalars.endIndex)])
            var value = colon.map { String(scalars[$0...].dropFirst()) } ?? ""
            if value.unicodeScalars.first == " " { value.unicodeScalars.removeFirst() }
            switch name {
            case "event": type = value
            case "data": data += value + "\n"
            case "id": if !value.unicodeScalars.contains("\u{0}") { id = value }
            case "retry":
                let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
                if isNumber, let time = Int64(value) { retry = .milliseconds(time) }
            default: break
            }
        }
        return events
    }

    /// The lines that have an end.
    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\n", previous == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(String(line))
                line.removeAll()
            } else {
                line.append(scalar)
            }
        }
        return lines
    }
}
