// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A request as a curl command", .timeLimit(.minutes(15)))
struct CURLDescriptionTests {
    @Test(
        "sends the same form when it is run",
        arguments: [
            "plain", "@/etc/hostname", "</etc/hostname", "a;type=b,c", "say \"hi\" \\o/", "(", "=)", " x", "it's",
        ]
    )
    func form(_ value: String) async throws {
        let server = try LoopbackServer()
        let resource = BaseResource(server.url, networkInterface: Swifty.shared).post("post")
            .multipart(name: "a", value: value)
        let command = resource.cURLDescription(includingSecrets: true)
        let program = try await Program.require("sh", ["-c", "\(command) --silent"])
        let sent = try program.json()["form"] as? [String: Any]
        let loaded = try await resource.load().json() as? [String: Any]
        #expect(sent?["a"] as? String == value, "\(command)")
        #expect((loaded?["form"] as? [String: Any])?["a"] as? String == value)
    }
}
