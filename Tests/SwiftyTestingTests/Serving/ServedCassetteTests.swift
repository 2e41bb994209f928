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

    /// The text of an answer; `nil` without one.
    private func text(of cassette: ServedCassette, for request: ServedRequest) async throws -> String? {
        guard case .answer(let answer) = try await cassette.answer(to: request),
            case .response(_, let content) = answer.outcome
        else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    @Test("answers a recorded request whose content is compressed, and the same content without compression")
    func compressed() async throws {
        let stub = StubTransport(body: "added")
        let base = BaseResource("https://api.example.com", networkInterface: Swifty(transport: stub))
        let report = String(repeating: "report ", count: 500)
        // The content of the last request is not in the coding that its field names.
        let resources: [NetworkResource] = [
            base.post("reports").text(report).compressed(), base.post("reports").text(report).compressed(),
            base.post("reports").text("plain").header(key: "Content-Encoding", value: "gzip"),
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
        for request in [sent[0], plain, sent[2]] { #expect(try await text(of: cassette, for: request) != nil) }
        #expect(try await text(of: cassette, for: sent[2]) == nil, "each is answered once")
    }
}

extension ServedRequest {
    fileprivate init(_ request: NetworkRequest) {
        self.init(
            method: request.method.rawValue,
            target: request.target.path,
            path: request.target.path,
            queryItems: [],
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) },
            content: request.body?.bytes ?? Data()
        )
    }
}
