// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty
@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A compressed response", .timeLimit(.minutes(15)))
struct ContentDecodingTests {
    /// Made with Python: `gzip.compress(b"hello hello hello hello", mtime=0)` and its relatives.
    private static let gzip = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==") ?? Data()
    private static let zlib = Data(base64Encoded: "eJzLSM3JyVfIQCcBaAMIsQ==") ?? Data()
    private static let bare = Data(base64Encoded: "y0jNyclXyEAnAQ==") ?? Data()

    private func load(
        _ body: Data,
        _ coding: String,
        status: Int = 200,
        decoding: Swifty.ContentDecoding = Swifty.ContentDecoding(),
        _ change: (NetworkResource) -> Void = { _ in }
    ) async throws(SwiftyError) -> NetworkResponse {
        let stub = StubTransport { _ in
            TransportResponse(
                head: ResponseHead(statusCode: status, headers: [.contentEncoding: coding]),
                content: body
            )
        }
        let swifty = Swifty(transport: stub) { $0.contentDecoding = decoding }
        let resource = BaseResource("https://api.example.com", networkInterface: swifty).get("x")
        change(resource)
        return try await resource.load()
    }

    @Test("is decoded in every form that servers send")
    func decodes() async throws {
        let text = "hello hello hello hello"
        for (body, coding) in [
            (Self.gzip, "gzip"), (Self.gzip, "X-GZIP"), (Self.zlib, "deflate"), (Self.bare, "deflate"),
            (Self.gzip, "identity, gzip"),
        ] {
            #expect(try await load(body, coding).string == text, "\(coding)")
        }
        #expect(try await load(Self.gzip + Self.gzip, "gzip").string == text + text)
    }

    @Test("is decoded if the request names the same codings in another spelling")
    func spellings() async throws {
        let names = ContentCoding.allCases.map(\.rawValue)
        for value in [
            names.joined(separator: ","), names.reversed().joined(separator: " ,\t"),
            names.joined(separator: ", ").uppercased(), names.joined(separator: ",,") + ",",
        ] {
            let response = try await load(Self.gzip, "gzip") { $0.header(.acceptEncoding, value) }
            #expect(response.string == "hello hello hello hello", "\(value)")
        }
        for value in ["", "identity", "*", names.joined(separator: ", ") + ", x", names.joined(separator: ";q=0, ")] {
            #expect(try await load(Self.gzip, "gzip") { $0.header(.acceptEncoding, value) }.data == Self.gzip)
        }
    }

    @Test("is delivered as it was sent if decoding is off, does not apply, or its coding is unknown")
    func leaves() async throws {
        #expect(try await load(Self.gzip, "gzip", decoding: .off).data == Self.gzip)
        #expect(try await load(Self.gzip, "compress").data == Self.gzip)
        #expect(try await load(Self.gzip, "compress, gzip").string == "hello hello hello hello")
        #expect(try await load(Self.gzip, "gzip", status: 206).data == Self.gzip)
        #expect(try await load(Self.gzip, "gzip") { $0.header(.acceptEncoding, "gzip") }.data == Self.gzip)
        #expect(try await load(Self.gzip, "gzip") { $0.header(.range, "bytes=0-9") }.data == Self.gzip)
        #expect(try await load(Data(), "gzip").data == nil)
    }

    @Test("that is cut off, damaged or followed by other bytes is an error with the coded content")
    func broken() async throws {
        for body in [Self.gzip, Self.zlib] {
            let coding = body == Self.gzip ? "gzip" : "deflate"
            for count in 1..<body.count {
                let error = await #expect(throws: SwiftyError.self) { try await load(body.prefix(count), coding) }
                #expect(error?.code == .malformedResponse, "\(coding) \(count)")
                #expect(error?.content?.count == count, "\(coding) \(count)")
                #expect(error?.sent == .responded)
                #expect(error?.statusCode == 200)
            }
            let trailing = await #expect(throws: SwiftyError.self) { try await load(body + Data("x".utf8), coding) }
            #expect(trailing?.code == .malformedResponse)
        }
        let plain = await #expect(throws: SwiftyError.self) { try await load(Data("plain text".utf8), "gzip") }
        #expect(plain?.code == .malformedResponse)
        let many = await #expect(throws: SwiftyError.self) {
            try await load(Self.gzip, Array(repeating: "gzip", count: 6).joined(separator: ","))
        }
        #expect(many?.code == .malformedResponse)
    }

    @Test("stops at its limits of size and ratio")
    func bombs() async throws {
        let small = await #expect(throws: SwiftyError.self) {
            try await load(Self.gzip, "gzip", decoding: Swifty.ContentDecoding(maximumBytes: 22))
        }
        #expect(small?.code == .responseTooLarge)
        #expect(try await load(Self.gzip, "gzip", decoding: Swifty.ContentDecoding(maximumBytes: 23)).data?.count == 23)
        let server = try LoopbackServer()
        let zeros = Data(count: 8 << 20)
        server.route("GET", "/bomb") { _ in
            .data(Compression.gzip.compress(zeros) ?? Data()).header("Content-Encoding", "gzip")
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let bomb = await #expect(throws: SwiftyError.self) { try await base.get("bomb").load() }
        #expect(bomb?.code == .responseTooLarge)
        let patient = Swifty { $0.contentDecoding = Swifty.ContentDecoding(maximumRatio: 2000) }
        let whole = try await BaseResource(server.url, networkInterface: patient).get("bomb").load()
        #expect(whole.data == zeros)
    }

    @Test("from the loopback server arrives decoded, and its sizes are in the metrics")
    func overSockets() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        for route in ["gzip", "deflate"] {
            let response = try await base.get(route).load()
            #expect(response.string?.contains("headers") == true)
            #expect((response.metrics.transfer?.responseContentBytes ?? 0) < response.data?.count ?? 0)
            #expect(response.metrics.decodedContentBytes == response.data?.count)
        }
        #expect(server.log.last?["Accept-Encoding"] == ContentCoding.accepted)
    }
}
