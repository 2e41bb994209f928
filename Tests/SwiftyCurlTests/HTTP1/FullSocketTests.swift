// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("A request for which the socket has no room", .timeLimit(.minutes(15)))
struct FullSocketTests {
    /// The size of content that fits into a Unix domain socket together with a head, and leaves no room.
    private static func fillingSize() throws -> Int {
        let size = try accepted(of: [4 << 20])[0] - 1_000
        for head in [1, 900] { try #require(try accepted(of: [size + head, 1]) == [size + head, -1]) }
        return size
    }

    /// The numbers of bytes that a new socket takes of writes of these sizes; -1 if it has no room.
    private static func accepted(of sizes: [Int]) throws -> [Int] {
        var ends: [Int32] = [0, 0]
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(result == 0)
        defer { for end in ends { close(end) } }
        let bytes = [UInt8](repeating: 0, count: sizes.max() ?? 0)
        return sizes.map { send(ends[0], bytes, $0, Int32(MSG_DONTWAIT)) }
    }

    @Test("is not answered by what comes before it is sent")
    func excess() async throws {
        let (size, folder) = (try Self.fillingSize(), try TemporaryFolder())
        let path = folder.path("socket")
        let answers = ["good", "EVIL"].map { "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\($0)" }
        // It answers an upload early, and does not read it.
        let server = try ScriptedServer(
            path: path,
            [.readHead, .send(answers[0]), .pause(.milliseconds(300)), .send(answers[1]), .stall]
        )
        let transport = CurlTransport(configuration: .with { $0.settings.addresses.unixSocketPath = path })
        let upload = try await transport.load(.to("http://one.test/", method: .put, content: Data(count: size)))
        #expect(upload.text == "good")
        #expect(try await transport.get("http://one.test/").text == "good")
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }
}
