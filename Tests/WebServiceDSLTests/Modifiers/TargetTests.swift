// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("The target of a request", .timeLimit(.minutes(15)))
struct TargetTests {
    private var base: BaseResource {
        BaseResource("https://api.example.com/v1", networkInterface: RecordingInterface())
    }

    @Test("is replaced with all parameters; errors keep the path of the API")
    func url() async throws {
        let resource = base.get("users/\(7)/repos").query("page", 2).url("http://mirror.example.com:8080/a%20b?c=d#e")
        let request = try await freeze(resource.query("f", "g"))
        #expect(request.target.string == "http://mirror.example.com:8080/a%20b?c=d&f=g")
        #expect(resource.draft.template == base.get("users/\(7)/repos").draft.template)
    }

    @Test("must be an absolute URL", arguments: ["", "users", "/users", "ftp://a.test/", "https://", "https://a b/"])
    func badURL(url: String) async {
        let error = await #expect(throws: SwiftyError.self) { try await freeze(base.get("x").url(url)) }
        #expect(error?.code == .invalidURL)
    }

    @Test("has another method, with which content is allowed or not")
    func method() async throws {
        #expect(try await freeze(base.get("x").method("REPORT")).method.rawValue == "REPORT")
        let post = try await freeze(base.put("x").text("a").method("POST"))
        #expect(post.method == .post && post.content.data == Data("a".utf8))
        let refused = await #expect(throws: SwiftyError.self) {
            try await freeze(base.put("x").text("a").method("GET"))
        }
        #expect(refused?.code == .contentNotAllowed)
        for method in ["", "A B", "CONNECT"] {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(base.get("x").method(method)) }
            #expect(error?.code == .invalidMethod)
        }
    }
}
