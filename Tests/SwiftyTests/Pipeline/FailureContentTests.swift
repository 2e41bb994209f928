// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@Suite("The value in the content of a failed response", .timeLimit(.minutes(15)))
struct FailureContentTests {
    private struct Invalid: Codable, Equatable, Sendable { var fieldNames: [String] }

    private enum Store: WebService {
        static let serverURL = "https://store.example.com"
        static let networkInterface: any NetworkInterface = Swifty()
        static let format: any ContentFormat = .json { $0.keys = .snakeCase }
        static let failure: FailureContent =
            .decoded(as: Invalid.self, when: [422]).or(.decoded(as: ProblemDetails.self, when: 400..<500))
        static func order() -> NetworkResourceWithoutBody { server.get("orders/1") }
    }

    private func error(
        _ content: String,
        _ status: Int,
        of resource: NetworkResource = Store.order()
    ) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) {
            try await resource.mock(data: Data(content.utf8), status: status).load()
        }
    }

    @Test("is that which the service declares for its status")
    func declared() async {
        let problem = await error(#"{"title":"No credit","detail":"30 of 50"}"#, 403)
        #expect(problem?.decoded(ProblemDetails.self)?.title == "No credit")
        #expect(problem?.description.contains("403: No credit: 30 of 50") == true)
        let invalid = await error(#"{"field_names":["a"]}"#, 422)
        #expect(invalid?.decoded(Invalid.self) == Invalid(fieldNames: ["a"]))
        // In the format of the service, also where no value is declared.
        let other = await error(#"{"field_names":["b"]}"#, 500)
        #expect(other?.decoded(Invalid.self)?.fieldNames == ["b"])
        #expect(other?.decoded(ProblemDetails.self) == nil)
    }

    @Test("is absent if the content is something else, and the error is that of the status")
    func absent() async {
        for content in ["", "<html>", "[]", "{", #"{"title":null}"#] {
            let error = await error(content, 404)
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.reason == "the server answered 404")
            #expect(error?.decoded(ProblemDetails.self) == nil)
        }
    }

    @Test("of a request takes the place of the service's, and its description has no secrets")
    func request() async {
        struct Text: Decodable, Sendable, CustomStringConvertible {
            var text: String
            var description: String { text }
        }
        let resource = Store.order().failure(.decoded(as: Text.self))
        let error = await error(#"{"text":"no, because\n access_token=abcdefgh is old"}"#, 500, of: resource)
        #expect(error?.decoded(Text.self)?.text.contains("abcdefgh") == true)
        #expect(error?.reason.contains("abcdefgh") == false)
        #expect(error?.description.contains("no, because") == true)
        #expect(error?.description.contains("\n") == false)
        let long = await self.error("{\"text\":\"\(String(repeating: "x", count: 100_000))\"}", 500, of: resource)
        #expect((long?.description.count ?? 0) < 1000)
        let none = await self.error(#"{"title":"x"}"#, 400, of: Store.order().failure(.undecoded))
        #expect(none?.reason == "the server answered 400")
    }

    @Test("comes over the network as well, after retries, and in typed loads")
    func network() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/x") { _ in LoopbackResponse.text(#"{"title":"Busy"}"#, status: 503) }
        }
        let base = BaseResource(
            server.url,
            networkInterface: Swifty(),
            failure: .decoded(as: ProblemDetails.self)
        )
        let error = await #expect(throws: SwiftyError.self) { try await base.get("x").retry(2).load(Int.self) }
        #expect(error?.decoded(ProblemDetails.self)?.title == "Busy")
        #expect(error?.attempts.count == 2)
    }

    @Test("that is not declared is the end of the description: its beginning, without secrets")
    func excerpt() async throws {
        func text(_ content: String, _ type: String) async -> String {
            let headers = ["Content-Type": type]
            let resource = BaseResource("https://a", networkInterface: Swifty()).get("x")
                .mock(data: Data(content.utf8), status: 400, headers: headers)
            let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
            return error?.description ?? ""
        }
        let start = "GET https://a/x failed (unacceptableStatus, validation): the server answered 400"
        #expect(await text("no\r\nsuch user", "text/plain") == "\(start): no such user")
        #expect(
            await text(#"{"error":"old","password":"hunter22"}"#, "application/json; charset=utf-8").hasPrefix(start)
        )
        #expect(await !text(#"{"error":"old","password":"hunter22"}"#, "application/json").contains("hunter22"))
        #expect(await text("<html>", "text/html") == start)
        #expect(await text("\u{0}\u{1}", "image/png") == start)
        let long = String(repeating: "x", count: 4_000) + #""token":"abcdefgh""#
        #expect(await text(long, "application/problem+json") == "\(start): \(String(repeating: "x", count: 200))…")
        let cut = #"{"password":"\#(String(repeating: "s", count: 10_000))"}"#
        #expect(await !text(cut, "application/json").contains("sss"))
    }
}

@Suite("A secret that a server repeats", .timeLimit(.minutes(15)))
struct RepeatedSecretTests {
    @Test("when it refuses the request is not in the description of the error")
    func repeated() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/x") { request in
                let words = request.values(of: "Authorization") + [request.target]
                return LoopbackResponse.text("refused: \(words.joined(separator: " and "))", status: 401)
            }
        }
        let resource = BaseResource(server.url, networkInterface: Swifty()).get("x").bearer("canary-of-a-field")
            .query("api_key", "canary-of-a-query").query("page", "canary-that-is-none")
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.description.contains("refused:") == true)
        #expect(error?.description.contains("canary-of") == false)
        #expect(error?.content.map { String(decoding: $0, as: UTF8.self).contains("canary-of-a-field") } == true)
    }
}

@Suite("Content of another type than the request accepts", .timeLimit(.minutes(15)))
struct AcceptedContentTypeTests {
    private func resource(_ type: String?, _ accepted: [String]) -> NetworkResource {
        BaseResource("https://a", networkInterface: Swifty()).get("x").validate(contentTypes: accepted)
            .mock(data: Data("<p>".utf8), headers: type.map { ["Content-Type": $0] } ?? [:])
    }

    @Test("fails the load, and says which type it is", arguments: [false, true])
    func refused(isStreamed: Bool) async {
        let resource = resource("Text/HTML; charset=utf-8", ["application/json", "image/*"])
        let error = await #expect(throws: SwiftyError.self) {
            if isStreamed { _ = try await resource.stream() } else { try await resource.load() }
        }
        #expect(error?.code == .unacceptableContentType)
        #expect(error?.reason == "the content is text/html, and not application/json, image/*")
        #expect(error?.statusCode == 200)
    }

    @Test(
        "is a type by its essence and by ranges; content without a type passes",
        arguments: [
            ("text/html;q=1", ["TEXT/HTML; charset=x"]), ("image/png", ["a/b", "image/*"]), ("x/y", ["*/*"]),
            (nil, ["a/b"]), ("", ["*/*"]), ("a/b", []),
        ] as [(String?, [String])]
    )
    func accepted(type: String?, accepted: [String]) async throws {
        try await resource(type, accepted).load()
    }
}
