// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

private struct Signer: RequestInterceptor {
    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        resource.header("X-Signature", "s3cret").header("X-Client", "tests")
    }
}

private struct Checker: ResponseInterceptor {
    func intercept(response: NetworkResponse) async throws -> NetworkResponse { response }
}

private final class OpenConstraint: Constraint, @unchecked Sendable {
    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        Issue.record("an explanation asked a constraint")
        return false
    }
}

private enum Shelf: WebService {
    static let serverURL = "https://shelf.example/v1"
    static let stub = StubTransport()
    static let networkInterface: any NetworkInterface = Swifty(transport: stub) {
        $0.use(OpenConstraint())
        $0.use(Signer())
        $0.use(Checker())
        $0.retry = .standard
    }
    static func book(_ id: Int) -> NetworkResource { server.get("books/{id}", ["id": id]) }
    static func add(_ book: [String: String]) -> NetworkResourceWithBody { server.post("books").json(book) }
}

@Suite("An explanation", .timeLimit(.minutes(15)))
struct ExplanationTests {
    @Test("shows the request with the changes of interceptors, and the stages, and sends nothing")
    func whole() async throws {
        let resource = Shelf.book(7).query(["sort": "title", "token": "t0p"]).priority(.high)
        let explanation = try await resource.explain()
        #expect(
            explanation.description == """
                GET https://shelf.example/v1/books/7?sort=title&token=REDACTED
                x-signature: REDACTED
                x-client: tests
                accept-encoding: \(Self.codings)

                1. constraints: OpenConstraint
                2. time limits: connect 10.0 seconds, idle 60.0 seconds
                3. request interceptors: Signer
                4. admission: high priority
                5. transport: StubTransport
                6. redirects: at most 20
                7. retries: at most 3 attempts
                8. accepted statuses: 200 to 299
                9. response interceptors: Checker

                """
        )
        #expect(Shelf.stub.requests.isEmpty)
    }

    private static let codings = {
        var codings = "gzip, deflate"
        #if Brotli
        codings += ", br"
        #endif
        #if Zstd
        codings += ", zstd"
        #endif
        return codings
    }()

    @Test("shows JSON with sorted members and without secrets")
    func json() async throws {
        let book = ["title": "Dune", "author": "Herbert", "password": "s3cret", "isbn": "1", "year": "1965"]
        let explanation = try await Shelf.add(book).idempotencyKey().explain()
        #expect(
            explanation.content == """
                {
                  "author" : "Herbert",
                  "isbn" : "1",
                  "password" : "REDACTED",
                  "title" : "Dune",
                  "year" : "1965"
                }
                """
        )
        #expect(explanation.fields.contains("content-type: application/json"))
        #expect(explanation.fields.contains("idempotency-key: (new for each load)"))
        #expect(!explanation.description.contains("s3cret"))
    }

    @Test("is the same for each call, also for a form with a random boundary and a file that does not exist")
    func multipart() async throws {
        let form = Shelf.server.post("covers").multipart(name: "title", value: "Dune")
            .multipart(name: "cover", file: "/missing/cover.png")
        let (first, second) = (try await form.explain(), try await form.explain())
        #expect(first.description == second.description)
        #expect(first.fields.contains("content-type: multipart/form-data; boundary=(random)"))
        #expect(first.content?.contains("(the file /missing/cover.png)") == true)
        let bytes = try await Shelf.server.put("covers/1").data(Data([0xff, 0x00])).explain()
        #expect(bytes.content == "(2 bytes)")
    }

    @Test("names the transport of a scope, the mock of the request, and the decoded type")
    func replacements() async throws {
        let scoped = try await withTransport(StubTransport(), for: Shelf.self) { try await Shelf.book(1).explain() }
        #expect(scoped.stages.contains("transport: StubTransport in place of StubTransport"))
        let mocked = try await withMocks(for: Shelf.self) { try await Shelf.book(1).explain() }
        #expect(mocked.stages.contains("transport: MockTransport in place of StubTransport"))
        #expect(!mocked.description.contains("x-client"))
        let own = try await Shelf.book(1).mock(data: Data()).decode([Int].self).explain()
        #expect(own.stages.contains("mocked by the request itself"))
        #expect(own.stages.last == "decoding: Array<Int>")
    }

    @Test("of a request that cannot be loaded is its error")
    func invalid() async throws {
        let error = await #expect(throws: SwiftyError.self) { try await Shelf.server.get("a/{b}").explain() }
        #expect(error?.stage == .building)
        #expect(error?.request?.template == "a/{b}")
    }

    @Test("of another network interface shows the draft")
    func otherInterface() async throws {
        struct Other: NetworkInterface {
            func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
                NetworkResponse(error: SwiftyError(.cancelled, stage: .send, reason: "not to be called"))
            }
        }
        let explanation = try await BaseResource("https://a.example", networkInterface: Other()).get("x").explain()
        #expect(explanation.description == "GET https://a.example/x\n\n1. network interface: Other\n")
    }
}
