// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

@Suite("A served cassette", .timeLimit(.minutes(15)))
struct ServedCassetteTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The head of an answer; `nil` without one.
    private func head(of cassette: ServedCassette, for request: ServedRequest) async throws -> ResponseHead? {
        guard case .answer(let answer) = try await cassette.answer(to: request),
            case .response(let head, _) = answer.outcome
        else { return nil }
        return head
    }

    @Test("answers a recorded request whose content is compressed, and the same content without compression")
    func compressed() async throws {
        let stub = StubTransport(content: "added")
        let base = BaseResource("https://api.example.com", networkInterface: Swifty(transport: stub))
        let report = String(repeating: "report ", count: 500)
        // The content of the last request is not in the coding that its field names.
        let resources: [NetworkResource] = [
            base.post("reports").text(report).compressed(), base.post("reports").text(report).compressed(),
            base.post("reports").text("plain").header("Content-Encoding", "gzip"),
        ]
        try await withCassette(folder.path("c")) {
            for resource in resources { try await resource.load() }
        }
        let sent = stub.requests.map { ServedRequest($0) }
        #expect(sent.map(\.contentCodings) == ["gzip", "gzip", "gzip"])
        #expect(sent[0].content != Data(report.utf8))
        var plain = sent[1]
        plain.content = Data(report.utf8)
        plain.headers.removeAll { $0.name == "Content-Encoding" }
        let cassette = try ServedCassette(contentsOf: folder.path("c.har"))
        for request in [sent[0], plain, sent[2]] {
            let head = try await head(of: cassette, for: request)
            #expect(head?.statusCode == 200)
        }
        let again = try await head(of: cassette, for: sent[2])
        #expect(again?.statusCode == nil, "each is answered once")
    }

    @Test(
        "leads redirects to recorded servers to itself, however they are written, and no others",
        arguments: [
            ("//api.example.com/x?a=1", "/x?a=1"), ("https://api.example.com:443/x", "/x"),
            ("HTTPS://user@API.example.com", "/"), ("https://api.example.com./x#top", "/x#top"),
            ("https://api.example.com/x#top", "/x#top"), ("http://127.0.0.1:8080?to=//b.example", "/?to=//b.example"),
            ("https://api.example.com//other.example/x", "/.//other.example/x"),
            ("x?to=https://api.example.com#top", "x?to=https://api.example.com#top"), ("/x#top", "/x#top"),
            ("https://other.example/x", "https://other.example/x"), ("//other.example/x", "//other.example/x"),
            ("http://api.example.com/x", "http://api.example.com/x"), ("https:x", "https:x"),
            ("https://api.example.com:8443/x", "https://api.example.com:8443/x"),
        ]
    )
    func redirects(location: String, local: String) async throws {
        let response = #"{"status":302,"headers":[{"name":"location","value":"\#(location)"}]}"#
        let entries = [
            #"{"request":{"method":"GET","url":"https://api.example.com/a"},"response":\#(response)}"#,
            #"{"request":{"method":"GET","url":"http://127.0.0.1:8080//b/c"},"response":{"status":200}}"#,
        ]
        let creator = #""creator":{"name":"WebInspector"}"#
        try folder.file("c.har", "{\"log\":{\(creator),\"entries\":[\(entries.joined(separator: ","))]}}")
        let cassette = try ServedCassette(contentsOf: folder.path("c.har"))
        let redirect = try await head(of: cassette, for: ServedRequest(target: "/a"))
        #expect(redirect?["Location"] == local)
        // Two slashes at the beginning of a request target belong to its path.
        let other = try await head(of: cassette, for: ServedRequest(target: "//b/c"))
        #expect(other?.statusCode == 200)
    }
}

extension ServedRequest {
    /// A GET request without a query.
    fileprivate init(target: String) {
        self.init(method: "GET", target: target, path: target, queryItems: [], headers: [], content: Data())
    }

    fileprivate init(_ request: NetworkRequest) {
        self.init(
            method: request.method.rawValue,
            target: request.target.path,
            path: request.target.path,
            queryItems: [],
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) },
            content: request.content.data ?? Data()
        )
    }
}
