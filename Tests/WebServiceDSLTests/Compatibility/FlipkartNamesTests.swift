// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Flipkart's names", .timeLimit(.minutes(15)))
struct FlipkartNamesTests {
    private struct LengthParser: ResponseParser {
        func parse(response: NetworkResponse) throws {
            guard let data = response.data else { throw CocoaError(.coderValueNotFound) }
            response.result = data.count
        }
    }

    /// Answers by a closure of Flipkart's form, as the shim of Docs/Migration.md has it.
    private struct LegacyInterface: NetworkInterface {
        let answer: @Sendable (NetworkResource, @escaping @Sendable (NetworkResponse) -> Void) -> Void

        func loadResource(resource: NetworkResource, completion: @escaping @Sendable (NetworkResponse) -> Void) {
            answer(resource, completion)
        }
        func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
            await loadResource(draft, cancellation: cancellation)
        }
    }

    private struct EmptyInterface: NetworkInterface {
        func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
            await loadResource(draft, cancellation: cancellation)
        }
    }

    @Test("make a resource of a URL and a method, which fails at load for what cannot be sent")
    func resource() async throws {
        let url = try #require(URL(string: "https://api.example.com/a?b=1"))
        let interface = RecordingInterface()
        try await NetworkResource(url: url, method: "DELETE", networkInterface: interface).header("X", "1").load()
        #expect(interface.requests.map { "\($0.method) \($0.target)" } == ["DELETE https://api.example.com/a?b=1"])
        #expect(NetworkResource(url: url, method: "NO METHOD").draft.creationError?.code == .invalidMethod)
        let post = NetworkResourceWithBody(url: url, method: "POST").json(["a": 1])
        #expect(try await freeze(post).content.data == Data(#"{"a":1}"#.utf8))
        let error = await #expect(throws: SwiftyError.self) {
            try await NetworkResource(url: url, method: "GET").load()
        }
        #expect(error?.code == .noNetworkInterface)
    }

    @Test("make a response of its parts, and parse it")
    func response() {
        let head = ResponseHead(statusCode: 200)
        let response = NetworkResponse(response: head, data: Data("[1]".utf8), error: nil)
        #expect(response.statusCode == 200 && response.result as? [Int] == [1] && response.error == nil)
        response.result = "mine"
        #expect(response.result as? String == "mine")
        let parsed = NetworkResponse(response: head, data: Data("abc".utf8), parser: LengthParser())
        #expect(parsed.result as? Int == 3 && parsed.error == nil)
        let failed = NetworkResponse(response: head, parser: LengthParser())
        #expect(failed.error?.domain == CocoaError.errorDomain && failed.result == nil)
        #expect((failed.error as NSError?)?.code == CocoaError.Code.coderValueNotFound.rawValue)
        let given = NetworkResponse(error: NSError(domain: "mine", code: 7, userInfo: ["a": "b"]))
        #expect(given.error?.domain == "mine" && given.error?.userInfo["a"] as? String == "b")
    }

    @Test("read the user information of an error from the JSON of the server")
    func userInfo() {
        var error = SwiftyError(.unacceptableStatus, stage: .validation, sent: .responded, reason: "the status is 400")
        #expect(error.domain == "SwiftyErrorDomain")
        #expect(error.userInfo.keys.sorted() == [NSLocalizedDescriptionKey])
        error.content = Data(#"{"message":"no such user"}"#.utf8)
        #expect(error.userInfo["message"] as? String == "no such user")
        #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == error.description)
        error.content = Data("<html>".utf8)
        #expect(error.userInfo.count == 1)
        #expect(WebServiceError.jsonEncodingFailure(dictionary: [1: "a"], error: nil).description.contains("[\"1\"]"))
    }

    @Test("write arrays with commas and booleans as numbers")
    func query() async throws {
        let base = BaseResource(
            "https://api.example.com",
            networkInterface: RecordingInterface(),
            queryEncoding: .flipkart
        )
        let resource = base.get("a").query(["a": [1, 2], "b": [true, false], "c": ["x,y", "z"], "d": ["e": 1]])
        #expect(try await freeze(resource).target.query == "a=1,2&b=1,0&c=x%2Cy,z&d%5Be%5D=1")
    }

    @Test("describe a resource without secrets")
    func details() {
        let resource = server().post("users").header("X-Trace", "1").bearer("secret").json(["password": "secret"])
        #expect(resource.printDetails() === resource)
        let details = resource.draft.details
        #expect(details.contains("https://api.example.com/v1/users") && details.contains("X-Trace: 1"))
        #expect(details.contains("Content-Type: application/json") && !details.contains("secret\""))
    }

    @Test("load by loadResource, whose closure counts once")
    func legacy() async throws {
        let interface = LegacyInterface { resource, completion in
            completion(
                NetworkResponse(
                    response: ResponseHead(statusCode: 202),
                    data: Data(resource.draft.method.rawValue.utf8)
                )
            )
            completion(NetworkResponse(response: ResponseHead(statusCode: 203)))
        }
        let response = try await BaseResource("https://example.com", networkInterface: interface).put("a").load()
        #expect(response.statusCode == 202 && response.string == "PUT")
    }

    @Test("end a load by loadResource with its cancellation")
    func cancellation() async throws {
        let (started, begin) = AsyncStream<Void>.makeStream()
        let interface = LegacyInterface { _, _ in begin.yield() }
        let load = Task { try await BaseResource("https://example.com", networkInterface: interface).get("a").load() }
        for await _ in started { break }
        load.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled && error?.request?.url == "https://example.com/a")
    }

    @Test("fail a load by an interface that implements neither method")
    func neither() async {
        let resource = BaseResource("https://example.com", networkInterface: EmptyInterface()).get("a")
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .noNetworkInterface)
    }
}
