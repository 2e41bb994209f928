// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A network response", .timeLimit(.minutes(15)))
struct NetworkResponseTests {
    private func response(_ body: String = "{}") -> NetworkResponse {
        NetworkResponse(head: ResponseHead(statusCode: 200, headers: [.contentType: "a/b"]), data: Data(body.utf8))
    }

    @Test("has head, content, text and decoded values")
    func parts() throws {
        let response = response(#"{"a":1}"#)
        #expect(response.statusCode == 200)
        #expect(response.head?.headers[.contentType] == "a/b")
        #expect(response.string == #"{"a":1}"#)
        #expect((try response.json() as? [String: Int]) == ["a": 1])
        #expect(try response.decode([String: Int].self) == ["a": 1])
        #expect((response.result as? [String: Int]) == ["a": 1])
        #expect(response.response?.statusCode == 200)
    }

    @Test("can be failed and made to succeed again")
    func failAndSucceed() throws {
        struct Mine: Error {}
        let response = response("body")
        response.fail(error: Mine())
        #expect(response.error?.code == .interceptorFailed)
        #expect(response.error?.underlying is Mine)
        #expect(response.error?.statusCode == 200)
        #expect(response.error?.content == Data("body".utf8))
        response.succeed(head: ResponseHead(statusCode: 201), data: Data("new".utf8))
        #expect(response.error == nil)
        #expect(response.string == "new")
        #expect(response.statusCode == 201)
    }

    @Test("parses raw header fields when they are read")
    func rawFields() {
        let raw = "Content-Type: text/plain\r\nX-A:  1 \r\nx-a:2\nbroken\r\n: empty\r\nX-Utf: \u{e9}\r\n\r\n"
        let head = ResponseHead(statusCode: 200, reasonPhrase: "OK", httpVersion: .http1_1, rawFields: Array(raw.utf8))
        #expect(head.headers[.contentType] == "text/plain")
        #expect(head.headers[values: HTTPField.Name("X-A")!] == ["1", "2"])
        #expect(head.headers.count == 4)
        #expect(head.headers[HTTPField.Name("x-utf")!] == "\u{e9}")
    }
}
