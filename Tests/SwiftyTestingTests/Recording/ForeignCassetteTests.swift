// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

@Suite("A HAR file of another program", .timeLimit(.minutes(15)))
struct ForeignCassetteTests {
    private let folder: TemporaryFolder
    private let stub = StubTransport(status: 500)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ entries: [String], version: String = #""version":"1.2","#) throws {
        let creator = #""creator":{"name":"WebInspector"}"#
        try folder.file("c.har", "{\"log\":{\(version)\(creator),\"entries\":[\(entries.joined(separator: ","))]}}")
    }

    private func entry(_ url: String, _ text: String, method: String = "GET", status: String = "200") -> String {
        #"{"request":{"method":"\#(method)","url":"\#(url)"},"#
            + #""response":{"status":\#(status),"content":{"text":"\#(text)"}}}"#
    }

    private func load(_ reference: String, query: [(String, String?)] = []) async throws -> String? {
        let base = BaseResource("https://h.example", networkInterface: Swifty(transport: stub))
        return try await base.get("\(reference)").query(query).load().text()
    }

    /// Entries that are no answers over HTTP, and what the note says of them.
    static let odd: [(entry: String, note: String)] = [
        (entry(#"{"status":0}"#), "has no response"), (entry("null"), "response has another type"),
        (#"{"request":{"method":"GET","url":"https://h.example/a"}}"#, "response is missing"),
        (entry(#"{"status":null}"#), "status has another type"), (entry(#"{"status":101}"#), "has no response"),
        (entry(#"{"status":101}"#, of: "wss://h.example/a"), "a GET of wss: is not HTTP"),
        (entry(#"{"status":200}"#, of: "data:image/png;base64,iVBO"), "a GET of data: is not HTTP"),
        (entry(#"{"status":200}"#, of: "blob:https://h/1"), "a GET of blob: is not HTTP"),
        (entry(#"{"status":200,"headers":[{"name":"x","value":5}]}"#), "value has another type"),
        (entry(#"{"status":200,"content":{"size":"2"}}"#), "size has another type"),
        (entry(#"{"status":200,"content":{"size":2.5}}"#), "has another"),
        ("7", "entries[0] has another type"), ("null", "entries[0]"),
    ]

    private static func entry(_ response: String, of url: String = "https://h.example/a") -> String {
        #"{"request":{"method":"GET","url":"\#(url)"},"response":\#(response)}"#
    }

    @Test("skips what is no answer, says so, and replays and exports the others", arguments: odd)
    func skips(entry: String, note: String) async throws {
        try write([entry, self.entry("https://h.example/a", "good")])
        let cassette = try Cassette(contentsOf: folder.path("c.har"))
        #expect(cassette.count == 1)
        #expect(cassette.skipped.count == 1)
        let reason = cassette.skipped.first ?? "nothing"
        #expect(reason.contains(note), "\(reason)")
        try await withCassette(folder.path("c"), mode: .none) {
            let text = try await load("a")
            #expect(text == "good")
            let error = await #expect(throws: SwiftyError.self) { try await load("b") }
            #expect(error?.reason.contains("1 entry was skipped: \(reason)") == true)
        }
        #expect(try cassette.exportMocks(to: folder.path("Mocks")) == ["a.GET.http"])
        let served = try ServedCassette(contentsOf: folder.path("c.har"))
        #expect(served.skippingNote == "1 entry was skipped: \(reason)")
    }

    @Test(
        "without a version, or with an empty one, is of version 1.1",
        arguments: ["", #""version":"","#, #""version":"1.1","#]
    )
    func versions(version: String) async throws {
        try write([entry("https://h.example/a", "x")], version: version)
        #expect(try Cassette(contentsOf: folder.path("c.har")).count == 1)
    }

    @Test(
        "matches however the program writes method, host, port and fragment",
        arguments: [
            ("GET", "https://H.EXAMPLE/a"), ("get", "https://h.example:443/a"), ("Get", "HTTPS://h.example:/a#top"),
            ("GET", "https://user@h.example/a"),
        ]
    )
    func spelling(method: String, url: String) async throws {
        try write([entry(url, "good", method: method)])
        let text = try await withCassette(folder.path("c"), mode: .none) { try await load("a") }
        #expect(text == "good")
    }

    @Test("matches the parameters of a query in any order and encoding, and prefers the same spelling")
    func queries() async throws {
        try write([
            entry("https://h.example/a?b=2&a=1", "other order"), entry("https://h.example/a?a=1&b=2", "same order"),
            entry("https://h.example/s?q=a+b&n=%c3%bc", "encoded"), entry("https://h.example/l?x=1&x=2", "list"),
        ])
        try await withCassette(folder.path("c"), mode: .none) {
            let texts = [
                try await load("a", query: [("a", "1"), ("b", "2")]),
                try await load("a", query: [("a", "1"), ("b", "2")]),
                try await load("s", query: [("n", "ü"), ("q", "a b")]),
            ]
            #expect(texts == ["same order", "other order", "encoded"])
            // The order of one parameter's values may mean something.
            await #expect(throws: SwiftyError.self) { try await load("l", query: [("x", "2"), ("x", "1")]) }
            let list = try await load("l", query: [("x", "1"), ("x", "2")])
            #expect(list == "list")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("replays a response whose status has no content without the content of the program's cache")
    func noContent() async throws {
        let sized = #"{"status":304,"content":{"size":5}}"#
        try write([entry("https://h.example/a", "cached", status: "304"), Self.entry(sized)])
        let base = BaseResource("https://h.example", networkInterface: Swifty(transport: stub))
        try await withCassette(folder.path("c"), mode: .none) {
            for _ in 0..<2 {
                let response = try await base.get("a").validate(status: .any).load()
                #expect(response.statusCode == 304)
                #expect(response.data ?? Data() == Data())
            }
        }
    }

    @Test("may be named with its extension")
    func names() async throws {
        try write([entry("https://h.example/a", "good")])
        for name in ["c", "c.har"] {
            let text = try await withCassette(folder.path(name), mode: .none) { try await load("a") }
            #expect(text == "good")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.har.har")))
    }
}
