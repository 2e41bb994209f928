// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A GraphQL operation", .timeLimit(.minutes(15)))
struct GraphQLTests {
    struct Hero: Codable, Sendable, Equatable { var name: String }

    enum StarWars: GraphQLService {
        static let serverURL = "https://a/v1"
        static var networkInterface: any NetworkInterface { Answers.interface }
        static let format: any ContentFormat = .json { $0.sortsKeys = true }
        static let text = "query Hero($episode: Int!) { hero(episode: $episode) { name } }"
        static func hero(_ episode: Int) -> GraphQLOperation<Hero> {
            operation(text, ["episode": episode], at: "hero")
        }
        static func maybe() -> GraphQLOperation<Hero?> { operation("{ hero { name } }", at: "hero") }
        static func rename(_ name: String) -> GraphQLOperation<Hero> {
            operation("mutation M($n: String!) { rename(name: $n) { name } }", ["n": name], at: "rename")
        }
    }

    private let unknown = #"{"errors":[{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#

    @Test("sends its text and its variables, and returns the value at its place")
    func success() async throws {
        try await answered(#"{"data":{"hero":{"name":"Luke"}}}"#, #"{"data":{"hero":null}}"#) { answers async throws in
            #expect(try await StarWars.hero(4).load() == Hero(name: "Luke"))
            #expect(try await StarWars.maybe().load() == nil)
            #expect(
                answers.sentTexts == [
                    #"{"query":"\#(StarWars.text)","variables":{"episode":4}}"#, #"{"query":"{ hero { name } }"}"#,
                ]
            )
            let request = answers.requests[0]
            #expect(request.target.string == "https://a/v1/graphql")
            #expect(request.headers[.accept]?.hasPrefix("application/graphql-response+json") == true)
        }
    }

    @Test("fails with the errors of the response, also under a failed status", arguments: [200, 400])
    func errors(status: Int) async throws {
        let content = """
            {"errors":[{"message":"no such hero","locations":[{"line":1,"column":9}],
            "path":["hero","friends",1,"name"],"extensions":{"code":"NOT_FOUND"}},{"message":"x"}],"data":null}
            """
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(content, status: status) { _ async throws in try await StarWars.hero(4).load() }
        }
        #expect(error?.code == .callFailed)
        #expect(error?.graphQLErrors.map(\.message) == ["no such hero", "x"])
        #expect(error?.graphQLErrors.first?.path == "hero.friends[1].name")
        #expect(error?.graphQLErrors.first?.locations.first?.column == 9)
        #expect(try error?.graphQLErrors.first?.extensions?.decoded([String: String].self) == ["code": "NOT_FOUND"])
        #expect(error?.reason == "the operation failed: no such hero (at hero.friends[1].name); x")
        #expect(error?.statusCode == status)
    }

    @Test("returns partial data with the errors")
    func partial() async throws {
        let content = #"{"data":{"hero":{"name":"Luke"}},"errors":[{"message":"slow"}],"extensions":{"cost":3}}"#
        try await answered(content, #"{"data":{"hero":{}},"errors":[{"message":"x"}]}"#, #"{"data":{"hero":{}}}"#) {
            _ async throws in
            let response = try await StarWars.hero(4).response()
            #expect(response.value == Hero(name: "Luke"))
            #expect(response.errors.map(\.message) == ["slow"])
            #expect(try response.extensions?.decoded([String: Int].self) == ["cost": 3])
            #expect(response.head?.statusCode == 200)
            let lacking = try await StarWars.hero(4).response()
            #expect(lacking.value == nil)
            #expect(lacking.errors.count == 1)
            let error = await #expect(throws: SwiftyError.self) { try await StarWars.hero(4).response() }
            #expect(error?.reason.contains("data.hero.name: no such value") == true)
        }
    }

    @Test("is known by the digest of its text, once the server has the text")
    func persisted() async throws {
        let data = #"{"data":{"hero":{"name":"Luke"}}}"#
        try await answered(unknown, data, data) { answers async throws in
            let operation = StarWars.hero(4).header("X", "y").persisted()
            #expect(try await operation.load() == Hero(name: "Luke"))
            #expect(try await operation.copy().load() == Hero(name: "Luke"))
            #expect(answers.requests.map(\.method) == [.get, .post, .get])
            let digest = "69c9c87332647b2024fb284940894d3b418b98e26fa30b860ae3f4e6bb9f1605"
            let query = try #require(answers.requests[0].target.query)
            let parameters = QueryParameters(query: query)
            #expect(parameters["variables"] == #"{"episode":4}"#)
            #expect(parameters["extensions"] == #"{"persistedQuery":{"sha256Hash":"\#(digest)","version":1}}"#)
            #expect(parameters["query"] == nil)
            #expect(answers.sentTexts[1].contains("\"query\":") && answers.sentTexts[1].contains("sha256Hash"))
            #expect(answers.requests.allSatisfy { $0.headers.contains { $0.name.rawName == "X" && $0.value == "y" } })
        }
    }

    @Test("that writes is never sent with GET, and no failure but an unknown digest sends it again")
    func persistedMutation() async throws {
        try await answered(unknown, #"{"data":{"rename":{"name":"L"}}}"#, #"{"errors":[{"message":"no"}]}"#) {
            answers async throws in
            #expect(try await StarWars.rename("L").persisted().load() == Hero(name: "L"))
            await #expect(throws: SwiftyError.self) { try await StarWars.rename("L").persisted().load() }
            #expect(answers.requests.map(\.method) == [.post, .post, .post])
            #expect(answers.sentTexts.map { $0.contains("\"query\"") } == [false, true, false])
        }
        try await answered("", status: 503) { answers async throws in
            await #expect(throws: SwiftyError.self) { try await StarWars.hero(1).persisted().load() }
            #expect(answers.requests.count == 1)
        }
    }

    @Test(
        "refuses content that is no response",
        arguments: [
            "{}", "[]", "1", "<html>", "", #"{"data":{}}"#, #"{"data":null}"#, #"{"errors":[{}]}"#, #"{"errors":"x"}"#,
        ]
    )
    func hostile(content: String) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(content) { _ async throws in try await StarWars.hero(1).load() }
        }
        #expect(error?.code == .decodingFailed || error?.code == .emptyResponse)
    }
}
