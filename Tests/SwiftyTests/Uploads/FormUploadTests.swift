// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

/// Forms as werkzeug reads them.
@Suite("An upload of a form", .timeLimit(.minutes(15)))
struct FormUploadTests {
    /// A part of a form, as the server describes it.
    private struct Part: Decodable, Hashable {
        let name: String
        let fileName: String?
        let fields: [String: String]
        let content: String

        init(name: String, fileName: String?, content: String) {
            (self.name, self.fileName, fields, self.content) = (name, fileName, [:], content)
        }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            name = try values.decode(String.self)
            fileName = try values.decodeIfPresent(String.self)
            fields = try values.decode([String: String].self)
            content = try values.decode(String.self)
        }

        /// Without the fields, which the server adds to.
        var plain: Part { Part(name: name, fileName: fileName, content: content) }
    }

    /// A name from characters that end quotations, parameters and lines elsewhere.
    private static func hostileName(_ generator: inout SplitMix) -> String {
        let pieces = [
            "\"", "\r", "\n", "\r\n", "\\", "\\\"", ";", "; ", "=", ":", "--", "%", "%22", "%0D%0A", "'", "''", "*",
            "*0",
            "filename", "filename*=UTF-8''x",
            "name=\"x\"", "Content-Type: x", "/", "..", "é", "日本", "👩‍👩‍👧", "\u{0301}",
            " ",
            ",", "<", "a", "Z",
        ]
        let count = Int.random(in: 1...12, using: &generator)
        let name = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        // werkzeug takes a backslash before the closing quote for an escape, which WHATWG does not know.
        return name + "."
    }

    /// The name that werkzeug finds: it removes the backslash of an escape, and decodes the quote alone.
    private static func seen(_ name: String, isFileName: Bool) -> String {
        var result = ""
        var isEscaped = false
        var previous: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            switch scalar {
            case "\r" where isFileName: result += "%0D"
            case "\n" where isFileName: result += "%0A"
            case "\n" where previous == "\r": break
            case "\r", "\n": result += "%0D%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        // By scalars, since a combining character belongs to the one before.
        return result.replacingOccurrences(of: "%22", with: "\"", options: .literal)
    }

    @Test("carries a thousand hostile names")
    func hostileNames() async throws {
        let peer = try await PeerServer.forms()
        var generator = SplitMix(seed: 42)
        let resource = BaseResource(peer.url, networkInterface: Swifty()).post("form")
        var expected: Set<Part> = []
        for number in 0..<500 {
            let (name, fileName) = (Self.hostileName(&generator), Self.hostileName(&generator))
            resource.multipart(name: name, value: "\(number)")
            resource.multipart(name: name, data: Data("f\(number)".utf8), fileName: fileName)
            let seen = Self.seen(name, isFileName: false)
            expected.insert(Part(name: seen, fileName: nil, content: "\(number)"))
            expected.insert(
                Part(name: seen, fileName: Self.seen(fileName, isFileName: true), content: "f\(number)")
            )
        }
        let parts = try await resource.load([Part].self)
        #expect(parts.count == 1_000)
        let found = Set(parts.map(\.plain))
        #expect(found.subtracting(expected).prefix(3).isEmpty)
        #expect(found == expected)
    }

    @Test("carries files, streams and memory, with their fields", arguments: [true, false])
    func sources(hasLength: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.json", String(repeating: "[1]", count: 200_000)).path
        let peer = try await PeerServer.forms()
        let resource = BaseResource(peer.url, networkInterface: Swifty()).post("form")
            .multipart(name: "title", value: "é")
            .multipart(name: "file", file: path, headers: ["X-Part": "7"])
            .multipart(
                name: "log",
                stream: { writer in for _ in 0..<1_000 { try await writer.write("0123456789") } },
                fileName: "log.txt",
                contentType: "text/plain",
                length: hasLength ? 10_000 : nil
            )
        let response = try await resource.load()
        let parts = try JSONDecoder().decode([Part].self, from: response.data ?? Data())
        #expect(parts.map(\.name) == ["title", "file", "log"])
        #expect(parts.map(\.fileName) == [nil, "a.json", "log.txt"])
        #expect(parts.map(\.content.count) == [1, 600_000, 10_000])
        #expect(parts.map { $0.fields["Content-Type"] } == [nil, "application/json", "text/plain"])
        #expect(parts.map { $0.fields["X-Part"] } == [nil, "7", nil])
    }

    @Test("with a part that can no longer be read fails before anything is sent")
    func missing() async throws {
        let server = try LoopbackServer()
        let resource = BaseResource(server.url, networkInterface: Swifty()).post("anything")
        let error = await loadFailure(resource.multipart(name: "f", file: "/no/such"))
        #expect(error?.code == .contentUnreadable)
        #expect(error?.stage == .building)
        #expect(error?.sent == .notSent)
        #expect(server.connectionCount == 0)
    }
}
