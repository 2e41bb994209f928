// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Testing
@_spi(Interface) import WebServiceDSL

@Suite("A mocked failure", .timeLimit(.minutes(15)))
struct MockedFailureTests {
    private struct Answer: Decodable, Sendable { var id: Int }
    private struct Mine: Error {}

    /// A load that fails, once with a stubbed transport, and once with a mock of the same outcome.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var content = "{}"
        var error: SwiftyError?
        var interceptor: RequestFailing?
        let load: @Sendable (NetworkResource) async throws -> Void
    }

    /// The way in which a response interceptor fails the outcome.
    enum RequestFailing: Sendable { case failing, throwing, judging }

    static let failures: [Failure] = [
        Failure(testDescription: "status 404", status: 404) { _ = try await $0.load() },
        Failure(testDescription: "status 599", status: 599) { _ = try await $0.load() },
        Failure(testDescription: "not JSON", content: "<html>") { _ = try await $0.load(Answer.self) },
        Failure(testDescription: "not such a value", content: #"{"id":"x"}"#) { _ = try await $0.load(Answer.self) },
        Failure(testDescription: "typed", content: "[]") { _ = try await $0.decode(Answer.self).load() },
        Failure(testDescription: "typed response", content: "[]") { _ = try await $0.decode(Answer.self).response() },
        Failure(testDescription: "no content", status: 204, content: "") { _ = try await $0.load(Answer.self) },
        Failure(testDescription: "a closure", content: "[") { resource in
            try await withCheckedThrowingContinuation { continuation in
                resource.loadJSON(
                    successBlock: { _ in continuation.resume() },
                    failureBlock: { continuation.resume(throwing: $0) }
                )
            }
        },
        Failure(testDescription: "json()", content: "[") { _ = try await $0.load().json() },
        Failure(testDescription: "failed by an interceptor", interceptor: .failing) { _ = try await $0.load() },
        Failure(testDescription: "an interceptor that throws", interceptor: .throwing) { _ = try await $0.load() },
        Failure(testDescription: "judged by an interceptor", interceptor: .judging) { _ = try await $0.load() },
        Failure(
            testDescription: "an error of the transport",
            error: SwiftyError(.connectionLost, stage: .content, sent: .responded, reason: "cut")
        ) { _ = try await $0.load() },
        Failure(testDescription: "an error without a reason", error: SwiftyError(.tlsFailed, stage: .tls)) {
            _ = try await $0.load()
        },
    ]

    private func swifty(_ failure: Failure) -> Swifty {
        let hook = ResponseHook { response in
            switch failure.interceptor {
            case .failing: response.fail(error: Mine())
            case .throwing: throw Mine()
            case .judging: response.fail(error: SwiftyError.responseValidation(reason: "judged"))
            case nil: break
            }
            return response
        }
        let stub = StubTransport { _ in
            if let error = failure.error { throw error }
            return TransportResponse(
                head: ResponseHead(statusCode: failure.status),
                content: Data(failure.content.utf8)
            )
        }
        return Swifty(transport: stub) { $0.use(hook) }
    }

    @Test("names its request, and has the description of the real one", arguments: failures)
    func naming(_ failure: Failure) async throws {
        let swifty = swifty(failure)
        let real = swifty.api.get("users/{id}", ["id": 7]).query(["token": "canary"]).name("user")
        let mocked =
            if let error = failure.error {
                real.copy().mock(error: error)
            } else {
                real.copy().mock(data: Data(failure.content.utf8), status: failure.status)
            }
        let expected = await #expect(throws: SwiftyError.self) { try await failure.load(real) }
        let error = await #expect(throws: SwiftyError.self) { try await failure.load(mocked) }
        #expect(error?.description == expected?.description)
        let start = "GET https://api.example.com/users/7?token=REDACTED failed ("
        #expect(error?.description.hasPrefix(start) == true, "\(String(describing: error))")
        #expect(error?.request == real.draft.summary)
        #expect(error?.request?.name == "user")
        #expect(error?.code == expected?.code)
        #expect(error?.stage == expected?.stage)
    }

    @Test("of any other error contains that error, and a missing file names the request, too")
    func others() async throws {
        let api = Swifty(transport: StubTransport()).api
        let error = await #expect(throws: SwiftyError.self) { try await api.get("x").mock(error: Mine()).load() }
        let start = "GET https://api.example.com/x failed ("
        #expect(error?.description == start + "connectionFailed, connect): mocked failure: Mine()")
        let missing = await #expect(throws: SwiftyError.self) { try await api.get("x").mock(file: "no.json").load() }
        #expect(missing?.description.hasPrefix(start + "mockUnavailable, building): there is no mock file") == true)
    }

    @Test("of a custom network interface names its request, too")
    func ownInterface() async throws {
        struct Interface: NetworkInterface {
            func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
                do throws(SwiftyError) {
                    if let (head, data) = try await draft.mock?.response(directory: nil) {
                        return NetworkResponse(of: draft, head: head, data: data)
                    }
                    let request = try await draft.makeRequest()
                    return NetworkResponse(error: SwiftyError(.connectionFailed, stage: .connect), request: request)
                } catch {
                    return NetworkResponse(error: error)
                }
            }
        }
        let resource = BaseResource("https://a", networkInterface: Interface()).get("x")
        let real = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(real?.description == "GET https://a/x failed (connectionFailed, connect)")
        let mocked = resource.mock(data: Data("[".utf8))
        let error = await #expect(throws: SwiftyError.self) { try await mocked.load([Int].self) }
        #expect(error?.description.hasPrefix("GET https://a/x failed (decodingFailed, decoding)") == true)
    }
}
