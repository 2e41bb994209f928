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

@Suite("A transport with a URLSessionConfiguration", .timeLimit(.minutes(15)))
struct ConfigurationTests {
    private func interface(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> Swifty {
        let configuration = URLSessionConfiguration.default
        change(configuration)
        return Swifty(transport: URLSessionTransport(configuration: configuration))
    }

    private func code(_ change: (URLSessionConfiguration) -> Void) async throws -> SwiftyError.Code? {
        let server = try LoopbackServer()
        let resource = BaseResource(server.url, networkInterface: interface(change)).get("get")
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.sent == .notSent && server.log.requests.isEmpty)
        return error?.code
    }

    @Test("adds its header fields to requests that have none of the name")
    func fields() async throws {
        let server = try LoopbackServer()
        let swifty = interface { $0.httpAdditionalHeaders = ["X-App": "tests", "X-Own": "configuration"] }
        _ = try await BaseResource(server.url, networkInterface: swifty).get("get").header("x-own", "request").load()
        let request = try #require(server.log.requests.first)
        #expect(request.values(of: "X-App") == ["tests"])
        #expect(request.values(of: "X-Own") == ["request"])
    }

    @Test("keeps its protocol classes, which may respond instead of a server")
    func protocolClasses() async throws {
        let swifty = interface { $0.protocolClasses = [FixedResponse.self] }
        let response = try await BaseResource("http://fixed.test", networkInterface: swifty).get("a").load()
        #expect(response.statusCode == 203 && response.data == Data("fixed".utf8))
    }

    @Test("stores no cookies, whatever the configuration says")
    func cookies() async throws {
        let server = try LoopbackServer()
        let storage = HTTPCookieStorage.shared
        let swifty = interface { ($0.httpCookieStorage, $0.httpCookieAcceptPolicy) = (storage, .always) }
        let resource = BaseResource(server.url, networkInterface: swifty)
        let response = try await resource.get("response-headers").query("Set-Cookie", "a=1").load()
        #expect(response.head?["Set-Cookie"] == "a=1")
        _ = try await resource.get("get").load()
        #expect(server.log.requests.count == 2 && server.log.requests.last?["Cookie"] == nil)
        #expect(try storage.cookies(for: #require(URL(string: server.url))) ?? [] == [])
    }

    @Test("has the time limits of requests instead of its own")
    func timeouts() async throws {
        let server = try LoopbackServer()
        let swifty = interface { ($0.timeoutIntervalForRequest, $0.timeoutIntervalForResource) = (0.2, 0.2) }
        let response = try await BaseResource(server.url, networkInterface: swifty).get("delay/1").load()
        #expect(response.statusCode == 200)
    }

    @Test("copies the configuration")
    func copy() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.default
        let swifty = Swifty(transport: URLSessionTransport(configuration: configuration))
        configuration.protocolClasses = [FixedResponse.self]
        let response = try await BaseResource(server.url, networkInterface: swifty).get("get").load()
        #expect(response.statusCode == 200)
        #expect(configuration.httpCookieStorage != nil)
    }

    @Test("fails each load for what it cannot keep")
    func refusals() async throws {
        #expect(try await code { $0.httpMaximumConnectionsPerHost = 0 } == .invalidSettings)
        #if canImport(FoundationNetworking)
        #expect(try await code { $0.connectionProxyDictionary = ["HTTPProxy": "proxy.test"] } == .invalidSettings)
        #endif
        let unusable: [[AnyHashable: Any]] = [
            ["X Y": "a"], ["X": "a\r\nB: c"], ["X": 1], [1: "a"], ["Authorization": "Bearer a"], ["cookie": "a=1"],
            ["Host": "a.test"], ["Transfer-Encoding": "chunked"],
        ]
        for headers in unusable {
            #expect(try await code { $0.httpAdditionalHeaders = headers } == .invalidHeader, "\(headers)")
        }
    }
}

/// Responds to every request without a network.
private final class FixedResponse: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 203, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("fixed".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
