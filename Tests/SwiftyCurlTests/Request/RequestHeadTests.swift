// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The head of a request", .timeLimit(.minutes(15)))
struct RequestHeadTests {
    private func head(
        _ method: HTTPRequest.Method = .get,
        _ url: String = "http://a.test/x?y=1",
        _ headers: HTTPFields = [:],
        contentLength: Int? = nil,
        _ change: (inout RequestHead.Additions) -> Void = { _ in }
    ) throws -> String {
        var additions = RequestHead.Additions()
        change(&additions)
        let request = try NetworkRequest.to(url, method: method, headers: headers)
        let head = try RequestHead(request, contentLength: contentLength, additions)
        #expect(String(decoding: head.bytes[head.fieldsStart...].prefix(6), as: UTF8.self).lowercased() == "host: ")
        return String(decoding: head.bytes, as: UTF8.self)
    }

    @Test("is the request line, Host, the fields in their order, and an empty line")
    func order() throws {
        var headers: HTTPFields = [.accept: "a/b"]
        for (name, value) in [("X-B", "1"), ("x-a", "2"), ("X-B", ""), ("User-Agent", "me")] {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        #expect(
            try head(.get, "http://a.test/x?y=1", headers) { $0.userAgentLine = Array("User-Agent: lib\r\n".utf8) }
                == "GET /x?y=1 HTTP/1.1\r\nHost: a.test\r\nAccept: a/b\r\nX-B: 1\r\nx-a: 2\r\nX-B: \r\n"
                + "User-Agent: me\r\n\r\n"
        )
    }

    @Test("may have any length", arguments: ["", "b.test"])
    func length(_ host: String) throws {
        for count in [0, 1, 900, 940, 1_100, 3_000, 40_000] + Array(950...1_030) {
            let value = String(repeating: "v", count: count)
            var headers: HTTPFields = [:]
            for name in ["X-A", "X-B"] {
                headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
            }
            if !host.isEmpty { headers[try #require(HTTPField.Name("Host"))] = host }
            let name = host.isEmpty ? "a.test" : host
            #expect(
                try head(.get, "http://a.test/\(value)", headers)
                    == "GET /\(value) HTTP/1.1\r\nHost: \(name)\r\nX-A: \(value)\r\nX-B: \(value)\r\n"
                    + "Accept: */*\r\n\r\n"
            )
        }
    }

    @Test("has defaults for User-Agent and Accept, and the length of the content")
    func defaults() throws {
        #expect(
            try head(.post, "http://a.test", contentLength: 3) {
                $0.userAgentLine = Array("User-Agent: lib\r\n".utf8)
                $0.expectsContinue = true
            }
                == "POST / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: lib\r\nAccept: */*\r\nContent-Length: 3\r\n"
                + "Expect: 100-continue\r\n\r\n"
        )
    }

    @Test("names the host with its port unless that is the scheme's")
    func host() throws {
        for (url, host) in [
            ("http://a.test:80/", "a.test"), ("http://a.test:8080/", "a.test:8080"), ("http://[::1]:81/", "[::1]:81"),
            ("https://a.test/", "a.test"), ("https://a.test:80/", "a.test:80"),
        ] {
            #expect(try head(.get, url).contains("\r\nHost: \(host)\r\n"))
        }
        #expect(
            try head(.get, "http://a.test/", [try #require(HTTPField.Name("host")): "b.test"])
                == "GET / HTTP/1.1\r\nhost: b.test\r\nAccept: */*\r\n\r\n"
        )
    }

    @Test(
        "has no control character, which a lenient field may hold",
        arguments: [1, 8, 11, 12, 27, 31, 127] as [UInt8]
    )
    func controlCharacters(_ byte: UInt8) throws {
        let name = try #require(HTTPField.Name("X-A"))
        var headers = HTTPFields()
        headers.append(HTTPField(name: name, lenientValue: [0x61, byte, 0x62]))
        let error = #expect(throws: SwiftyError.self) { try head(.get, "http://a.test", headers) }
        #expect(error?.code == .invalidHeader)
        headers[name] = "a\tb \u{e9}"
        #expect(try head(.get, "http://a.test", headers).contains("\r\nX-A: a\tb \u{e9}\r\n"))
    }

    @Test("names the whole URI for a proxy, and has its credentials")
    func absoluteForm() throws {
        #expect(
            try head {
                $0.hasAbsoluteTarget = true
                $0.proxyAuthorization = "Basic eDp5"
            }
                == "GET http://a.test/x?y=1 HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\n"
                + "Proxy-Authorization: Basic eDp5\r\n\r\n"
        )
    }
}
