// swift-format-ignore-file
// The samples stand as they were written.
// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@Suite("The samples of Flipkart's talks and README, with the embedded server", .serialized, .timeLimit(.minutes(15)))
struct FlipkartSamplesTests {
    private let server: LoopbackServer

    init() async throws {
        server = try LoopbackServer()
        Bin.serverURL = server.url
        GithubAPI.serverURL = server.url
        AuthorizedBin.serverURL = server.url
    }

    @Test("load with a closure of three arguments, with one, and with two blocks")
    func closures() async {
        let three: (Int?, Bool, Bool) = await withCheckedContinuation { continuation in
            Bin.getIP().load(){ (response, data, error) in
                continuation.resume(returning: (response?.statusCode, data != nil, error == nil))
            }
        }
        #expect(three == (200, true, true))
        let one: Int? = await withCheckedContinuation { continuation in
            Bin.getIPUrgently().load { response in continuation.resume(returning: response.response?.statusCode) }
        }
        #expect(one == 200)
        let two: Bool = await withCheckedContinuation { continuation in
            GithubAPI.getAPIStatus().load(
                successBlock: { _ in continuation.resume(returning: true) },
                failureBlock: { _ in continuation.resume(returning: false) }
            )
        }
        #expect(two)
    }

    @Test("post JSON with a header")
    func post() async throws {
        let echo = try await Bin.createUser(user: ["name": "Ada"]).load().json() as? [String: Any]
        #expect((echo?["json"] as? [String: String]) == ["name": "Ada"])
        #expect((echo?["headers"] as? [String: String])?["My"] == "Header")
    }

    @Test("mock a response with a file")
    func mock() async throws {
        let before = server.log.requests.count
        #expect(try await Bin.getMockedIP().load().string?.contains("mocked") == true)
        #expect(server.log.requests.count == before)
    }

    @Test("deliver on a background queue")
    func deliver() async {
        let outcome: (Bool, Int) = await withCheckedContinuation { continuation in
            DataStore().refreshData { continuation.resume(returning: ($0, $1)) }
        }
        #expect(outcome == (true, 200))
    }

    @Test("hold for the OAuth constraint, add its token, and fail a 204")
    func hooks() async throws {
        let echo = try await AuthorizedBin.getHeaders().load().json() as? [String: [String: String]]
        #expect(echo?["headers"]?["Token"] == "a-token")
        let error = await #expect(throws: SwiftyError.self) { try await AuthorizedBin.getNothing().load() }
        #expect(error.map { ($0 as NSError).code } == 204)
    }

    @Test("extend the DSL with a modifier of their own")
    func extend() async throws {
        let resource: NetworkResource = Bin.server.post("post")
        let echo = try await resource.encrypt(data: Data("abc".utf8)).load().json() as? [String: Any]
        #expect(echo?["data"] as? String == "cba")
        let onGet = await #expect(throws: SwiftyError.self) { try await Bin.getIP().encrypt(data: Data()).load() }
        #expect(onGet?.code == .contentNotAllowed)
    }

    @Test("see the type of a resource that may carry content")
    func downcast() async throws {
        let resource: NetworkResource = Bin.server.post("post")
        if let resource = resource as? NetworkResourceWithBody { resource.json(body: ["a": "b"]) }
        let echo = try await resource.load().json() as? [String: Any]
        #expect((echo?["json"] as? [String: String]) == ["a": "b"])
    }
}
