// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request of URLSession", .timeLimit(.minutes(15)))
struct URLRequestTests {
    private func request(_ url: String = "https://api.example.com/a?b=1", _ method: String = "GET") -> URLRequest {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = URL(string: url)
        request.httpMethod = method
        return request
    }

    private func code(_ request: URLRequest) async -> SwiftyError.Code? {
        let resource = NetworkResource(request: request, networkInterface: Swifty.shared)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.request != nil && error?.sent == .notSent)
        let converted = await #expect(throws: SwiftyError.self) { try await NetworkRequest(request) }
        #expect(converted?.code == error?.code)
        return error?.code
    }

    @Test("becomes one of Swifty with its method, URL, fields, content and time limit")
    func conversion() async throws {
        var request = request("https://API.example.com/a?b=1#fragment", "PATCH")
        request.allHTTPHeaderFields = ["X-Trace": "1", "Content-Type": "text/plain"]
        request.httpBody = Data("abc".utf8)
        request.timeoutInterval = 2.5
        let converted = try await NetworkRequest(request)
        #expect(converted.method == .patch)
        #expect(converted.target.string == "https://api.example.com/a?b=1")
        #expect(converted.headers[HTTPField.Name("X-Trace")!] == "1")
        #expect(converted.headers[.contentType] == "text/plain")
        #expect(converted.content.data == Data("abc".utf8))
        #expect(converted.timeouts == NetworkRequest.Timeouts(idle: .milliseconds(2500)))
    }

    @Test(
        "has the target of its URL, without the fragment",
        arguments: [
            ("https://example.com", "https://example.com/"), ("https://example.com?x=1", "https://example.com/?x=1"),
            ("https://example.com#f/?x", "https://example.com/"),
            ("http://[::1]:8080/a/../b?#f", "http://[::1]:8080/b?"),
            ("https://example.com/a%2Fb?q=a%20b?c&d=/e#f", "https://example.com/a%2Fb?q=a%20b?c&d=/e"),
        ]
    )
    func target(url: String, expected: String) async throws {
        #expect(try await NetworkRequest(request(url)).target.string == expected)
        var content = request(url)
        content.httpBody = Data()
        #expect(try await NetworkRequest(content).content.isNone)
    }

    @Test("leaves the time limit of the interface if it has Foundation's default")
    func defaultTimeout() async throws {
        #expect(try await NetworkRequest(request()).timeouts == NetworkRequest.Timeouts())
        var endless = request()
        endless.timeoutInterval = .infinity
        #expect(try await NetworkRequest(endless).timeouts.idle == .seconds(1_000_000_000))
    }

    @Test("fails at load for what cannot be sent")
    func failures() async {
        var none = request()
        none.url = nil
        #expect(await code(none) == .invalidURL)
        #expect(await code(request("file:///etc/passwd")) == .invalidURL)
        #expect(await code(request("https://user:secret@example.com/")) == .invalidURL)
        #expect(await code(request("https://example.com/", "NO METHOD")) == .invalidMethod)
        #expect(await code(request("https://example.com/", "CONNECT")) == .invalidMethod)
        var content = request()
        content.httpBody = Data("a".utf8)
        #expect(await code(content) == .contentNotAllowed)
        content.httpBodyStream = InputStream(data: Data("a".utf8))
        #expect(await code(content) == .contentNotAllowed)
        for interval in [0, -1, Double.nan] {
            var late = request()
            late.timeoutInterval = interval
            #expect(await code(late) == .invalidTimeout)
        }
        for (name, value) in [
            ("X Y", "a"), ("X", "a\r\nB: c"), ("Transfer-Encoding", "chunked"), ("Content-Length", "9"),
        ] {
            var field = request("https://example.com/", "POST")
            field.allHTTPHeaderFields = [name: value]
            #expect(await code(field) == .invalidHeader, "\(name)")
        }
    }

    @Test("sends an input stream once, with its length if Content-Length names it", arguments: [true, false])
    func stream(hasLength: Bool) async throws {
        let server = try LoopbackServer()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 % 64 + 32) })
        var request = request("\(server.url)/post", "POST")
        request.httpBodyStream = InputStream(data: content)
        if hasLength { request.setValue("\(content.count)", forHTTPHeaderField: "Content-Length") }
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let resource = NetworkResource(request: request, networkInterface: Swifty.shared)
        let echo = try await resource.load().json() as? [String: Any]
        #expect(echo?["data"] as? String == String(decoding: content, as: UTF8.self))
        let headers = echo?["headers"] as? [String: String]
        #expect(headers?["Content-Length"] == (hasLength ? "\(content.count)" : nil))
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .contentNotReplayable)
    }

    @Test("fails a load whose stream cannot be read")
    func unreadableStream() async throws {
        let server = try LoopbackServer()
        var request = request("\(server.url)/post", "POST")
        request.httpBodyStream = InputStream(fileAtPath: "/nowhere/at/all")
        let resource = NetworkResource(request: request, networkInterface: Swifty.shared)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .contentUnreadable)
    }

    @Test("is made of a request of Swifty, field names as they were written")
    func inverse() async throws {
        let resource = BaseResource("https://api.example.com", networkInterface: Swifty.shared)
            .post("a").query("b", 1).header("X-tRACE", "1").addHeader("Accept", "a/b").addHeader("Accept", "c/d")
            .text("abc").timeout(total: .seconds(9), idle: .seconds(3))
        let request = try await URLRequest(resource)
        #expect(request.url?.absoluteString == "https://api.example.com/a?b=1")
        #expect(request.httpMethod == "POST" && request.httpBody == Data("abc".utf8))
        let fields = ["X-tRACE": "1", "Accept": "a/b, c/d", "Content-Type": "text/plain; charset=utf-8"]
        #expect(request.allHTTPHeaderFields == fields)
        #expect(request.timeoutInterval == 3)
        let back = try await NetworkRequest(request)
        #expect(back.headers[values: .accept] == ["a/b, c/d"])
        #expect(back.target == (try await resource.draft.makeRequest()).target)
    }

    @Test("is not made of a request with an error, or with content that is not in memory")
    func refusal() async throws {
        let base = BaseResource("https://api.example.com", networkInterface: Swifty.shared)
        let stream = base.post("a").stream { try await $0.write("abc") }
        #expect(try await URLRequest(stream).httpBody == Data("abc".utf8))
        let frozen = try await stream.draft.makeRequest()
        let unread = #expect(throws: SwiftyError.self) { try URLRequest(frozen) }
        #expect(unread?.code == .contentUnreadable && unread?.request?.method == "POST")
        let lowercase = NetworkRequest(method: HTTPRequest.Method("get")!, target: frozen.target)
        #expect(#expect(throws: SwiftyError.self) { try URLRequest(lowercase) }?.code == .invalidMethod)
        let wrong = await #expect(throws: SwiftyError.self) { try await URLRequest(base.get("a").header("X Y", "1")) }
        #expect(wrong?.code == .invalidHeader)
    }
}
