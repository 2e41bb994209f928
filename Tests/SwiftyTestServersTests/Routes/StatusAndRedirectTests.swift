// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import TestSupport
import Testing

@Suite("The status and redirect routes", .timeLimit(.minutes(15)))
struct StatusAndRedirectTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("respond with the requested status", arguments: [200, 201, 204, 304, 400, 404, 418, 429, 500, 503, 599, 999])
    func status(status: Int) throws {
        let client = try SocketClient(port: server.port)
        #expect(try client.exchange("GET", "/status/\(status)").status == status)
        // No stray body followed: the next response is read from its beginning.
        #expect(try client.exchange("POST", "/status/\(status)", content: "x").status == status)
    }

    @Test("omit the length where there cannot be content")
    func noContent() throws {
        for status in [204, 304] {
            let response = try fetch("GET", "/status/\(status)")
            #expect(response["Content-Length"] == nil)
            #expect(response["Transfer-Encoding"] == nil)
        }
    }

    @Test("choose among several statuses by weight")
    func weights() throws {
        let client = try SocketClient(port: server.port)
        var counts: [Int: Int] = [:]
        for _ in 0..<400 { counts[try client.exchange("GET", "/status/200:3,500:1,404:0").status, default: 0] += 1 }
        #expect(Set(counts.keys) == [200, 500])
        #expect((counts[500] ?? 0) < (counts[200] ?? 0))
    }

    @Test("reject text that is not a status", arguments: ["abc", "99", "1000", "200,", "200:x", "200:-1", "200,300,x"])
    func invalidStatus(codes: String) throws {
        #expect(try fetch("GET", "/status/\(codes)").status == 400)
    }

    @Test("add the fields that belong to a status")
    func fields() throws {
        #expect(try fetch("GET", "/status/401")["WWW-Authenticate"] == #"Basic realm="Fake Realm""#)
        #expect(try fetch("GET", "/status/307")["Location"] == "/redirect/1")
    }

    @Test(
        "redirect step by step",
        arguments: [
            ("/redirect/3", "/relative-redirect/2"), ("/redirect/1", "/get"),
            ("/relative-redirect/2", "/relative-redirect/1"),
            ("/absolute-redirect/2", "http://test.local:1234/absolute-redirect/1"),
            ("/absolute-redirect/1", "http://test.local:1234/get"),
            ("/redirect/2?absolute=true", "http://test.local:1234/absolute-redirect/1"),
        ]
    )
    func redirect(path: String, location: String) throws {
        let response = try fetch("GET", path)
        #expect(response.status == 302)
        #expect(response["Location"] == location)
    }

    @Test("redirect to a URL with a status")
    func redirectTo() throws {
        let response = try fetch("PUT", "/redirect-to?url=http%3A%2F%2Fa.b%2Fc%3Fd&status_code=307", content: "x")
        #expect(response.status == 307)
        #expect(response["Location"] == "http://a.b/c?d")
        #expect(try fetch("GET", "/redirect-to?url=/get").status == 302)
        #expect(try fetch("GET", "/redirect-to").status == 400)
        #expect(try fetch("GET", "/redirect-to?url=/&status_code=200").status == 400)
        #expect(try fetch("GET", "/redirect/0").status == 400)
    }

    @Test("lead curl to the end of a chain")
    func curlFollows() async throws {
        let response = WireResponse(content: try await curl("-L", "\(server.url)/absolute-redirect/5"))
        #expect(response.text("url") == "\(server.url)/get")
        #expect(server.log.count == 6)
    }
}
