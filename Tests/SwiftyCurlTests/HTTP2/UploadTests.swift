// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("Uploads over HTTP/2", .timeLimit(.minutes(15)))
struct UploadTests {
    @Test("to a server that updates its windows after each small part of the content are no flood")
    func manyUpdates() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        let body = Data(repeating: 65, count: 24 << 20)
        #expect(try await transport.load(peer.request("updates", content: body)).text == "ok")
    }
}
