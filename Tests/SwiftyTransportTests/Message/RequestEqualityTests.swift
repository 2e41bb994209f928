// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("Two requests", .timeLimit(.minutes(15)))
struct RequestEqualityTests {
    private func request(
        _ url: String = "https://a/b?c",
        method: HTTPRequest.Method = .post,
        fields: [(String, String)] = [("A", "1"), ("B", "2"), ("B", "3")],
        content: NetworkRequest.Content = .data(Data("x".utf8))
    ) throws -> NetworkRequest {
        var headers = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        return NetworkRequest(method: method, target: try TargetURI(url), headers: headers, content: content)
    }

    @Test("are equal if a server cannot tell them apart")
    func equal() throws {
        var other = try request(fields: [("b", "2"), ("a", "1"), ("B", "3")])
        other.timeouts.total = .seconds(1)
        (other.priority, other.name) = (.high, "n")
        #expect(try request() == other)
        #expect(try request().hashValue == other.hashValue)
        #expect(try Set([request(), other]).count == 1)
    }

    @Test("differ by method, target, fields or content")
    func different() throws {
        let others = [
            try request("https://a/b?d"), try request(method: .put), try request(fields: [("A", "1"), ("B", "2")]),
            try request(fields: [("A", "1"), ("B", "3"), ("B", "2")]), try request(content: .data(Data("y".utf8))),
            try request(content: .none), try request(fields: []), try request("http://a/b?c"),
        ]
        for other in others { #expect(try request() != other) }
        #expect(try request(content: .none) == request(content: .none))
        #expect(try request(content: .none) != request(content: .data(Data())))
    }
}
