// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Flipkart's names with types of URLSession", .timeLimit(.minutes(15)))
struct NamesTests {
    private let base = BaseResource("https://api.example.com", networkInterface: Swifty.shared)

    @Test("resource.request describes the resource, and changes the parts that are set")
    func request() async throws {
        let resource = base.put("a").query("b", 1).header("X-A", "1").text("abc")
        #expect(resource.request.url?.absoluteString == "https://api.example.com/a?b=1")
        #expect(resource.request.httpMethod == "PUT" && resource.request.httpBody == Data("abc".utf8))
        resource.request.httpMethod = "POST"
        resource.request.url = URL(string: "https://other.example.com/c")
        resource.request.setValue(nil, forHTTPHeaderField: "X-A")
        resource.request.setValue("2", forHTTPHeaderField: "X-B")
        resource.request.timeoutInterval = 5
        resource.request.httpBody = Data("xyz".utf8)
        let sent = try await resource.draft.makeRequest()
        #expect(sent.method == .post && sent.target.string == "https://other.example.com/c")
        #expect(
            sent.headers.map { "\($0.name): \($0.value)" }.sorted() == [
                "Content-Type: text/plain; charset=utf-8", "X-B: 2",
            ]
        )
        #expect(sent.timeouts.idle == .seconds(5) && sent.content.data == Data("xyz".utf8))
    }

    @Test("a change of one part leaves content that is produced, and repeated fields")
    func otherParts() async throws {
        let resource = base.post("a").addHeader("X", "1").addHeader("X", "2").stream { try await $0.write("abc") }
        #expect(resource.request.httpBody == nil)
        resource.request.url = URL(string: "https://other.example.com/c")
        let sent = try await resource.draft.makeRequest().collectingContent()
        #expect(sent.content.data == Data("abc".utf8))
        #expect(sent.headers[values: HTTPField.Name("X")!] == ["1", "2"])
    }

    @Test("a resource without a URL has a request without one, and keeps its error")
    func invalid() async {
        let resource = BaseResource("nowhere", networkInterface: Swifty.shared).get("a")
        #expect(resource.request.url == nil)
        resource.request.setValue("1", forHTTPHeaderField: "X")
        #expect(resource.draft.creationError?.code == .invalidBaseURL)
        let cleared = base.get("a")
        cleared.request.url = nil
        #expect(cleared.draft.creationError?.code == .invalidURL)
    }

    @Test("a resource is made of a copy of a mutable request")
    func mutableRequest() async throws {
        let request = NSMutableURLRequest(url: try #require(URL(string: "https://api.example.com/a")))
        request.httpMethod = "DELETE"
        let resource = NetworkResource(request: request, networkInterface: Swifty.shared)
        request.httpMethod = "POST"
        #expect(try await resource.draft.makeRequest().method == .delete)
    }

    @Test("a resource without an interface is loaded by add alone")
    func withoutInterface() async {
        let resource = NetworkResource(request: URLRequest(url: URL(string: "https://api.example.com/a")!))
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .noNetworkInterface && (error as NSError?)?.code == 0)
    }

    @Test("a response is made of an HTTPURLResponse, and succeeds with one")
    func response() throws {
        let url = try #require(URL(string: "https://api.example.com/a"))
        let http = HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "1"])
        let response = NetworkResponse(response: http, data: Data("[1]".utf8), error: nil)
        #expect(response.statusCode == 201 && response.head?["X-A"] == "1")
        #expect(response.result as? [Int] == [1] && response.error == nil)
        let failed = NetworkResponse(response: http, data: nil, error: CocoaError(.fileNoSuchFile))
        #expect(failed.error?.domain == CocoaError.errorDomain && failed.statusCode == 201)
        failed.succeed(
            response: HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil),
            data: nil
        )
        #expect(failed.statusCode == 200 && failed.error == nil)
    }
}
