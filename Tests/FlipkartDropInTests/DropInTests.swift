// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

/// An interface as an application that uses Flipkart's Swifty writes it: without `load(_:cancellation:)`.
class CountingInterface: WebServiceNetworkInterface {
    private let swifty: Swifty
    private let lock = NSLock()
    private var loads = 0

    var count: Int { lock.withLock { loads } }

    init(_ interceptors: [any RequestInterceptor] = [], _ responseInterceptors: [any ResponseInterceptor] = []) {
        swifty = Swifty(requestInterceptors: interceptors, responseInterceptors: responseInterceptors)
    }

    func loadResource(resource: NetworkResource, completion: @escaping (NetworkResponse) -> Void) {
        lock.withLock { loads += 1 }
        swifty.add(resource, successBlock: { completion($0) }, failureBlock: { completion($0) })
    }
}

/// Changes the request of `URLSession` inside of the resource.
struct RequestChanger: RequestInterceptor {
    func intercept(resource: NetworkResource) -> NetworkResource {
        resource.request.setValue("set", forHTTPHeaderField: "X-Changed")
        resource.request.url = resource.request.url.flatMap { URL(string: "\($0)?changed=1") }
        return resource
    }
}

/// Gives a response the number of the bytes of its content.
struct SizeParser: ResponseParser, ResponseInterceptor {
    struct Empty: Error {}

    func parse(response: NetworkResponse) throws {
        guard let data = response.data else { throw Empty() }
        response.result = data.count
    }
}

class DropIn: WebService {
    static var serverURL = "https://httpbin.org"
    static var networkInterface: WebServiceNetworkInterface = CountingInterface()

    static func search(_ parameters: [String: Any]) -> NetworkResource {
        server.get("get").query(parameters)
    }
    static func create(_ body: [AnyHashable: Any]) -> NetworkResource {
        server.post("post").json(body: body)
    }
}

@Suite("Code for Flipkart's Swifty, with the shim of Docs/Migration.md", .serialized, .timeLimit(.minutes(15)))
struct DropInTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        DropIn.serverURL = server.url
    }

    private func request(_ path: String) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "\(server.url)/\(path)")))
    }

    @Test("has the shim that Docs/Migration.md prints, of at most 20 lines")
    func shim() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = try String(contentsOf: folder.appendingPathComponent("FlipkartShim.swift"), encoding: .utf8)
        let shim = file[try #require(file.range(of: "// Flipkart shim")).lowerBound...]
        let page = folder.appendingPathComponent("../../Docs/Migration.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("```swift\n\(shim)```"))
        #expect(shim.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 20)
    }

    @Test("implements loadResource alone, and loads by every form of load")
    func loadResource() async throws {
        let interface = CountingInterface()
        let resource = NetworkResource(request: try request("get"), networkInterface: interface)
        #expect(try await resource.load().response?.statusCode == 200)
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain: Bool = await withCheckedContinuation { continuation in
            resource.load { _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? false) }
        }
        #expect(isMain)
        let json: Bool = await withCheckedContinuation { continuation in
            resource.loadJSON(
                successBlock: { continuation.resume(returning: $0 is [String: Any]) },
                failureBlock: { _ in continuation.resume(returning: false) }
            )
        }
        #expect(json)
        #expect(interface.count == 3)
    }

    @Test("changes the request of URLSession in an interceptor")
    func requestChanges() async throws {
        let resource = NetworkResource(
            request: try request("get"),
            networkInterface: CountingInterface([RequestChanger()])
        )
        let echo = try await resource.load().json() as? [String: Any]
        #expect((echo?["args"] as? [String: String]) == ["changed": "1"])
        #expect((echo?["headers"] as? [String: String])?["X-Changed"] == "set")
    }

    @Test("reads code, domain and userInfo of an error")
    func errors() async throws {
        let url = try #require(URL(string: "\(server.url)/status/404"))
        let resource = NetworkResource(url: url, method: "GET")
        let error: SwiftyError? = await withCheckedContinuation { continuation in
            Swifty().add(
                resource,
                successBlock: { continuation.resume(returning: $0.error) },
                failureBlock: { continuation.resume(returning: $0.error) }
            )
        }
        #expect(error?.code == 404)
        #expect(error?.domain == "SwiftyErrorDomain")
        #expect((error?.userInfo[NSLocalizedDescriptionKey] as? String)?.contains("404") == true)
    }

    @Test("writes arrays with commas and booleans as numbers, and JSON with any keys")
    func encodings() async throws {
        let search = DropIn.search(["a": [1, 2], "b": true, "c": ["x", "y"]])
        #expect(search.request.url?.absoluteString == "\(server.url)/get?a=1,2&b=1&c=x,y")
        let body: [AnyHashable: Any] = ["name": "Ada", "tags": ["a"]]
        let create = DropIn.create(body)
        #expect(create.request.httpBody == Data(#"{"name":"Ada","tags":["a"]}"#.utf8))
        #expect(create.request.allHTTPHeaderFields ?? [:] == ["Content-Type": "application/json"])
        let error = try #require(DropIn.create([1: "a"]).draft.creationError)
        #expect(error.code == 6)
        guard case .jsonEncodingFailed = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("parses responses by its own parser")
    func parser() async throws {
        let interface = CountingInterface([], [SizeParser()])
        let resource = NetworkResource(request: try request("bytes/5"), networkInterface: interface)
        let result: Any? = await withCheckedContinuation { continuation in
            resource.loadJSON(
                successBlock: { json in continuation.resume(returning: json as? Int) },
                failureBlock: { _ in continuation.resume(returning: nil) }
            )
        }
        #expect(result as? Int == 5)
        let empty = NetworkResource(request: try request("status/204"), networkInterface: interface)
        let error = await #expect(throws: SwiftyError.self) { try await empty.load() }
        #expect(error?.underlying is SizeParser.Empty)
    }

    @Test("calls the closures of add one after another")
    func add() async throws {
        let swifty = Swifty()
        let count = 20
        let request = try request("get")
        let counted: Int = await withCheckedContinuation { continuation in
            var finished = 0
            for _ in 0..<count {
                swifty.add(
                    NetworkResource(request: request),
                    successBlock: { _ in
                        finished += 1
                        if finished == count { continuation.resume(returning: finished) }
                    },
                    failureBlock: { _ in }
                )
            }
        }
        #expect(counted == count)
    }
}
