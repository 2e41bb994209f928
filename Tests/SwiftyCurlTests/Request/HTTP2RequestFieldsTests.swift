// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The fields of an HTTP/2 request", .timeLimit(.minutes(15)))
struct HTTP2RequestFieldsTests {
    private func fields(
        _ url: String,
        _ headers: HTTPFields = [:],
        priority: NetworkRequest.Priority = .normal
    ) throws -> [String] {
        var request = try NetworkRequest.to(url, method: .post, headers: headers)
        request.priority = priority
        let head = try RequestHead(request, contentLength: 3, RequestHead.Additions())
        return HTTP2RequestFields(request, head: head).withFields { fields in
            fields.map { field in
                let name = UnsafeBufferPointer(start: field.name, count: field.name_length)
                let value = UnsafeBufferPointer(start: field.value, count: field.value_length)
                return String(decoding: name, as: UTF8.self) + "=" + String(decoding: value, as: UTF8.self)
            }
        }
    }

    @Test("names arrive in lower case, and pseudo-header fields first")
    func wire() async throws {
        let peer = try await HTTP2Peer()
        var request = try peer.request("fields?a=b", method: .get)
        request.headers[try #require(HTTPField.Name("X-Mixed-Case"))] = "Value: x"
        let lines = try await peer.transport().load(request).text.split(separator: "\n").map(String.init)
        let start = [":method GET", ":scheme https", ":authority localhost:\(peer.port)", ":path /fields?a=b"]
        #expect(Array(lines.prefix(4)) == start)
        #expect(lines.contains("x-mixed-case Value: x"))
        #expect(lines.allSatisfy { $0.split(separator: " ")[0].allSatisfy { !$0.isUppercase } })
    }

    @Test("pseudo-header fields come first, and the fields of HTTP/1.1 follow")
    func order() throws {
        let name = try #require(HTTPField.Name("X-Mixed-Case"))
        #expect(
            try fields("https://one.test:8443/a%20b?c=d", [name: "Value: x"]) == [
                ":method=POST", ":scheme=https", ":authority=one.test:8443", ":path=/a%20b?c=d",
                "X-Mixed-Case=Value: x", "Accept=*/*", "Content-Length=3",
            ]
        )
        #expect(try fields("https://one.test")[3] == ":path=/")
        #expect(try fields("https://one.test/?")[3] == ":path=/?")
    }

    @Test("a Host that is not one host is refused", arguments: ["a b", "u@evil", "evil/x", "x, y"])
    func invalidHost(value: String) throws {
        let host = try #require(HTTPField.Name("Host"))
        #expect(throws: SwiftyError.self) { try fields("https://one.test/", [host: value]) }
    }

    @Test("the request's Host is the authority, and fields of the connection are left out")
    func connection() throws {
        let host = try #require(HTTPField.Name("Host"))
        let keepAlive = try #require(HTTPField.Name("Keep-Alive"))
        let headers: HTTPFields = [
            host: "other.test", .connection: "close", keepAlive: "5", .te: "gzip", .upgrade: "h",
        ]
        #expect(
            try fields("https://one.test/", headers) == [
                ":method=POST", ":scheme=https", ":authority=other.test", ":path=/", "Accept=*/*", "Content-Length=3",
            ]
        )
    }

    @Test(
        "TE says that trailers are welcome, and nothing else",
        arguments: [
            ("trailers", ["TE=trailers"]), (" Trailers", ["TE=Trailers"]), ("gzip", []), ("trailers, gzip", []),
            ("trailers;q=1", []), ("", []),
        ] as [(String, [String])]
    )
    func trailers(value: String, expected: [String]) throws {
        #expect(try fields("https://one.test/", [.te: value]).filter { $0.hasPrefix("TE=") } == expected)
    }

    @Test("TE arrives at the server")
    func trailersOnWire() async throws {
        let peer = try await HTTP2Peer()
        var request = try peer.request("fields", method: .get)
        request.headers[.te] = "trailers"
        let lines = try await peer.transport().load(request).text.split(separator: "\n")
        #expect(lines.contains("te trailers"))
    }

    @Test("a value has no spaces at its ends, which HTTP/2 forbids")
    func spaces() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .accept, lenientValue: Array(" \ta b\t ".utf8)))
        #expect(try fields("https://one.test/", headers).contains("Accept=a b"))
    }

    @Test("a priority other than the default one is sent, unless the request has its own")
    func priority() throws {
        let urgencies = try NetworkRequest.Priority.allCases.map { priority in
            try fields("https://one.test/", priority: priority).last { $0.hasPrefix("priority") }
        }
        #expect(urgencies == ["priority=u=6", "priority=u=5", nil, "priority=u=1", "priority=u=0"])
        let name = try #require(HTTPField.Name("Priority"))
        let own = try fields("https://one.test/", [name: "i"], priority: .high)
        #expect(own.filter { $0.lowercased().hasPrefix("priority") } == ["Priority=i"])
    }
}
