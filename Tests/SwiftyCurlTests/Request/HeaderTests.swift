// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Header fields on the wire", .timeLimit(.minutes(15)))
struct HeaderTests {
    private let transport = CurlTransport()

    private func sent(_ headers: HTTPFields, method: HTTPRequest.Method = .get) async throws -> RecordedRequest {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        _ = try await transport.load(.to(server.url, method: method, headers: headers))
        return try #require(server.log.requests.first)
    }

    private func name(_ text: String) throws -> HTTPField.Name {
        try #require(HTTPField.Name(text))
    }

    @Test("fields go out in order, and repeated names stay repeated")
    func orderAndDuplicates() async throws {
        var headers = HTTPFields()
        for (name, value) in [("X-B", "1"), ("X-A", "2"), ("X-B", "3"), ("x-c", "4"), ("X-A", "5")] {
            headers.append(HTTPField(name: try self.name(name), value: value))
        }
        let request = try await sent(headers)
        let own = request.headers.filter { $0.name.lowercased().hasPrefix("x-") }
        #expect(own.map(\.name) == ["X-B", "X-A", "X-B", "x-c", "X-A"])
        #expect(own.map(\.value) == ["1", "2", "3", "4", "5"])
    }

    @Test("a field with an empty value is sent")
    func emptyValue() async throws {
        let request = try await sent([try name("X-Empty"): "", .accept: "text/plain"])
        #expect(request["X-Empty"] == "")
        #expect(request.values(of: "Accept") == ["text/plain"])
    }

    @Test("the user agent is the caller's, else the configuration's")
    func userAgent() async throws {
        #expect(try await sent([.userAgent: "mine/1"]).values(of: "User-Agent") == ["mine/1"])
        #expect(try await sent([:])["User-Agent"]?.hasPrefix("Swifty/\(SwiftyVersion.current) libcurl/") == true)
        let server = try ScriptedServer([.readRequest, .respond(200)])
        _ = try await CurlTransport(configuration: .with { $0.userAgent = nil }).get(server.url)
        #expect(server.log.requests.first?["User-Agent"] == nil)
    }

    @Test("a content type and an expectation that the caller set are sent")
    func contentType() async throws {
        let request = try await sent([.contentType: "application/json", .contentLength: "0"], method: .post)
        #expect(request["Content-Type"] == "application/json")
        #expect(request.values(of: "Content-Length") == ["0"])
    }

    @Test("the caller's Host replaces the default one")
    func host() async throws {
        let request = try await sent([try name("Host"): "example.com"])
        #expect(request.values(of: "Host") == ["example.com"])
    }

    @Test("bytes above ASCII are sent as they are")
    func bytesAboveASCII() async throws {
        let request = try await sent([try name("X-Name"): "Zoë ☃"])
        #expect(request["X-Name"] == "Zoë ☃")
    }

    @Test("a value longer than a page is sent whole")
    func longValue() async throws {
        let value = String(repeating: "v", count: 20_000)
        #expect(try await sent([try name("X-Long"): value])["X-Long"] == value)
    }

    @Test("CR, LF and NUL are rejected before anything is sent", arguments: ["a\r\nEvil: 1", "a\nb", "a\rb", "a\0b"])
    func controlBytes(_ value: String) async throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: try name("X-A"), lenientValue: value.utf8))
        let server = try ScriptedServer([.readRequest, .respond(200)])
        guard headers.first?.withUnsafeBytesOfValue({ $0.contains { $0 == 0 || $0 == 10 || $0 == 13 } }) == true else {
            // HTTPTypes has replaced the bytes, so they do not arrive either.
            _ = try await transport.load(.to(server.url, headers: headers))
            #expect(server.log.requests.first?["Evil"] == nil)
            return
        }
        let error = try await transport.failure(of: .to(server.url, headers: headers))
        #expect(error.code == .invalidHeader)
        #expect(error.sent == .notSent)
        #expect(server.log.requests.isEmpty)
    }

    @Test("framing fields of the caller are rejected")
    func framing() async throws {
        let chunked = try NetworkRequest.to(
            "http://127.0.0.1:1",
            method: .post,
            headers: [.transferEncoding: "chunked"],
            content: Data("x".utf8)
        )
        #expect(try await transport.failure(of: chunked).code == .invalidHeader)
        let length = try NetworkRequest.to(
            "http://127.0.0.1:1",
            method: .post,
            headers: [.contentLength: "9"],
            content: Data("x".utf8)
        )
        #expect(try await transport.failure(of: length).code == .invalidHeader)
    }
}
