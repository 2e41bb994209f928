// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A request whose path is a URI Template", .timeLimit(.minutes(15)))
struct TemplatePathTests {
    @Test("is sent to the expansion, below the base URL, and named by its template")
    func expansion() async throws {
        let path = "repos{/owner,repo}/issues{?state,labels*}"
        let resource = server().get(
            .template(path, ["owner": "ap/ple", "repo": "swift", "labels": ["a b", "c&d"]])
        ).query("page", 2)
        let request = try await freeze(resource)
        let target = "https://api.example.com/v1/repos/ap%2Fple/swift/issues?labels=a%20b&labels=c%26d&page=2"
        #expect(request.target.string == target)
        #expect(request.template == path)
        let second: RequestPath = .template("{/x}{?y}{&z}", ["x": "1", "y": "q", "z": ""])
        let rooted = try await freeze(server("https://a/b?k=v").get(second))
        #expect(rooted.target.string == "https://a/b/1?k=v&y=q&z=")
    }

    @Test(
        "never leads to another path or server",
        arguments: [
            ("{+x}", "https://evil.example"), ("{+x}", "//evil.example/y"), ("{x}", ".."), ("a{/x}/b", ".."),
            ("{+x}", "../../y"), ("{+x}", "a/%2e%2e/b"), ("{#x}", "y"), ("{+x}", "y#z"), ("{x", "y"), ("x}", "y"),
            ("{x:3}{?x", "y"),
        ]
    )
    func refusals(template: String, value: URITemplate.Value) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await freeze(server().get(.template(template, ["x": value])))
        }
        #expect(error?.code == .invalidURL)
    }

    @Test("hides values whose names mark secrets")
    func secrets() async throws {
        let resource = server().get(.template("keys/{api_key}/use", ["api_key": "abcdefgh"]))
        #expect(try await freeze(resource).target.path == "/v1/keys/abcdefgh/use")
        #expect(!resource.description.contains("abcdefgh"))
        let list = await #expect(throws: SwiftyError.self) {
            try await freeze(server().get(.template("x/{names:2}", ["names": ["a", "b"]])))
        }
        #expect(list?.reason.contains("names") == true)
    }
}
