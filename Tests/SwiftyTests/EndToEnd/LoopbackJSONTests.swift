// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@Suite("A dictionary with values of several types", .timeLimit(.minutes(15)))
struct LoopbackJSONTests {
    @Test("is a JSON response, or a 500 if JSON cannot express it")
    func mixed() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/a") { _ in .json(["id": 7, "name": "Ada", "list": [1, "x"]]) }
            server.route("GET", "/b") { _ in .json(["id": 1, "at": Date()]) }
            server.route("GET", "/c") { _ in .json(["x": "y"]) }
            server.route("GET", "/d") { _ in .json([1, "x"]) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let data = try #require(try await base.get("a").load().data)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(object?["id"] as? Int == 7)
        #expect(object?["name"] as? String == "Ada")
        #expect(try await base.get("b").validate(status: .any).load().statusCode == 500)
        #expect(try await base.get("c").load().string == "{\n  \"x\" : \"y\"\n}\n")
        #expect(try await base.get("d").validate(status: .any).load().statusCode == 200)
    }
}
