// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@Suite("A GET request with content", .timeLimit(.minutes(15)))
struct AllowedContentTests {
    @Test("is sent if its content is allowed, before or after it is set", arguments: ["GET", "OPTIONS"])
    func sent(method: String) async throws {
        let server = try LoopbackServer { server in
            for method in ["GET", "OPTIONS"] { server.route(method, "/s") { _ in .json(["hits": 1, "of": "x"]) } }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        for resource in [
            base.request(method, "s").allowsContent().json(["q": 1]),
            base.request(method, "s").json(["q": 1]).allowsContent(),
        ] {
            let response = try await resource.load()
            #expect(response.statusCode == 200)
            let request = try #require(server.log.requests.last)
            #expect(request.method == method)
            #expect(String(decoding: request.content, as: UTF8.self) == #"{"q":1}"#)
            #expect(resource.cURLDescription.hasPrefix("curl -X '\(method)' "))
        }
    }

    @Test("fails without it, and so does content of HEAD and TRACE", arguments: ["GET", "OPTIONS", "HEAD", "TRACE"])
    func refused(method: String) async throws {
        let base = BaseResource("http://127.0.0.1:1", networkInterface: Swifty())
        let resource = base.request(method, "s").json(["q": 1])
        if method == "HEAD" || method == "TRACE" { resource.allowsContent() }
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .contentNotAllowed)
    }
}
