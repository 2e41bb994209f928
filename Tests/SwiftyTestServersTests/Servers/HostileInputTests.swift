// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import TestSupport
import Testing

@Suite("Hostile input", .timeLimit(.minutes(15)))
struct HostileInputTests {
    private static let seeds = [
        "GET /get?a=%zz&b HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n",
        "POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n[1,2.5]",
        "POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 60\r\n\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b--",
        "GET /range/1000 HTTP/1.1\r\nHost: x\r\nRange: bytes=10-20\r\n\r\n",
        "GET /status/200:3,500:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /base64/U3dpZnR5 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /basic-auth/a/b HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YTpi\r\n\r\n",
        "GET /response-headers?a=1&b=%0d%0a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x/etag/e?q HTTP/1.0\r\nIf-None-Match: W/\"e\"\r\n\r\n",
    ]

    @Test("stops neither server")
    func mutations() throws {
        let loopback = try LoopbackServer()
        let scripted = try ScriptedServer([.readRequest, .respond(), .readRequest, .respond()])
        var random = SplitMix(seed: 20_240_511)
        for _ in 0..<3_000 {
            let bytes = Self.mutated(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)], &random)
            for port in [loopback.port, scripted.port] {
                let client = try SocketClient(port: port)
                try? client.send(bytes)
                client.finishSending()
                _ = try? client.readToEnd()
            }
        }
        #expect(try SocketClient(port: loopback.port).exchange("GET", "/get").status == 200)
        #expect(try SocketClient(port: scripted.port).exchange("GET", "/").status == 200)
        #expect(!scripted.log.requests.map(\.headers.count).isEmpty)
    }

    private static func mutated(_ seed: String, _ random: inout SplitMix) -> [UInt8] {
        var bytes = Array(seed.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.insert(Array("\r\n:;=%-,0\"/ ".utf8).randomElement(using: &random) ?? 0, at: place)
            default: bytes = Array(bytes[..<min(place + 8, bytes.count)] + bytes[min(place, bytes.count)...])
            }
        }
        return bytes
    }
}
