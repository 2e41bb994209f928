// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A base resource", .timeLimit(.minutes(15)))
struct BaseResourceTests {
    @Test("has a function for each common method, and one for all others")
    func methods() async throws {
        let base = server()
        let resources: [(String, NetworkResource)] = [
            ("GET", base.get()), ("HEAD", base.head()), ("OPTIONS", base.options()), ("POST", base.post()),
            ("PUT", base.put()),
            ("PATCH", base.patch()), ("DELETE", base.delete()), ("PROPFIND", base.request("PROPFIND")),
            ("x!#$", base.request("x!#$")),
        ]
        for (method, resource) in resources {
            #expect(try await freeze(resource).method.rawValue == method)
        }
    }

    @Test("refuses a method that is not a token", arguments: ["", "GE T", "GET\r\nX: y", "GÉT", "A/B", "CONNECT"])
    func badMethod(method: String) async throws {
        let error = await #expect(throws: SwiftyError.self) { try await freeze(server().request(method)) }
        #expect(error?.code == .invalidMethod)
        #expect(error?.description.contains("\r") == false)
    }

    @Test("makes resources that do not affect one another")
    func independence() async throws {
        let base = server()
        let first = base.get("a").header("X", "1")
        let second = base.get("b")
        #expect(try await freeze(first).target.path == "/v1/a")
        #expect(try await freeze(second).target.path == "/v1/b")
        #expect(try await freeze(second).headers.isEmpty)
    }

    @Test("makes resources whose drafts are not changed by later modifiers")
    func draftsAreValues() async throws {
        let resource = server().get("x").header("X", "1")
        let before = resource.draft
        resource.header("X", "2").query(["q": 1]).tag("t").priority(.high).name("n")
        #expect(before.headers.map(\.value) == ["1"])
        #expect(before.tags.isEmpty)
        #expect(before.priority == .normal)
        #expect(before.name == nil)
        #expect(before.fullTarget?.query == nil)
        #expect(resource.draft.headers.map(\.value) == ["2"])
        #expect(resource.draft.fullTarget?.query == "q=1")
    }

    @Test("never sends content that reached a GET through its base type")
    func contentOnGet() async throws {
        let resource: NetworkResource = server().get("ip")
        let error = await #expect(throws: SwiftyError.self) { try await freeze(resource.data(Data([1]))) }
        #expect(error?.code == .contentNotAllowed)
        let custom = await #expect(throws: SwiftyError.self) {
            try await freeze(server().request("GET", "ip").json(["a": 1]))
        }
        #expect(custom?.code == .contentNotAllowed)
    }

    @Test("keeps the type through every modifier, so that the content can come last")
    func keepsType() async throws {
        let resource: NetworkResourceWithBody = server().post("x").priority(.high).query(["a": 1]).tag("t").accept(
            "a/b"
        ).json(["b": 2])
        #expect(try await freeze(resource).content.data == Data(#"{"b":2}"#.utf8))
        #expect(try await freeze(resource).priority == .high)
    }
}
