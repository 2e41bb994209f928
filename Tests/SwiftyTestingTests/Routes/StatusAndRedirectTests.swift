// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting
import Testing

@Suite("The status and redirect routes")
struct StatusAndRedirectTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test(arguments: [200, 201, 204, 304, 400, 404, 418, 429, 500, 503, 599, 999])
    func `answer with the status asked for`(status: Int) throws {
        let client = try SocketClient(port: server.port)
        #expect(try client.exchange("GET", "/status/\(status)").status == status)
        // The connection is still in step: no stray body followed.
        #expect(try client.exchange("POST", "/status/\(status)", body: "x").status == status)
    }

    @Test func `leave out the length where there cannot be a body`() throws {
        for status in [204, 304] {
            let response = try fetch("GET", "/status/\(status)")
            #expect(response["Content-Length"] == nil && response["Transfer-Encoding"] == nil)
        }
    }

    @Test func `choose among several statuses by weight`() throws {
        let client = try SocketClient(port: server.port)
        var counts: [Int: Int] = [:]
        for _ in 0..<400 { counts[try client.exchange("GET", "/status/200:3,500:1,404:0").status, default: 0] += 1 }
        #expect(Set(counts.keys) == [200, 500])
        #expect((counts[500] ?? 0) < (counts[200] ?? 0))
    }

    @Test(arguments: ["abc", "99", "1000", "200,", "200:x", "200:-1", "200,300,x"])
    func `refuse what is not a status`(codes: String) throws {
        #expect(try fetch("GET", "/status/\(codes)").status == 400)
    }

    @Test func `add the fields that belong to a status`() throws {
        #expect(try fetch("GET", "/status/401")["WWW-Authenticate"] == #"Basic realm="Fake Realm""#)
        #expect(try fetch("GET", "/status/307")["Location"] == "/redirect/1")
    }

    @Test(arguments: [
        ("/redirect/3", "/relative-redirect/2"), ("/redirect/1", "/get"),
        ("/relative-redirect/2", "/relative-redirect/1"),
        ("/absolute-redirect/2", "http://test.local:1234/absolute-redirect/1"),
        ("/absolute-redirect/1", "http://test.local:1234/get"),
        ("/redirect/2?absolute=true", "http://test.local:1234/absolute-redirect/1"),
    ])
    func `redirect step by step`(path: String, location: String) throws {
        let response = try fetch("GET", path)
        #expect(response.status == 302)
        #expect(response["Location"] == location)
    }

    @Test func `redirect to a place with a status`() throws {
        let response = try fetch("PUT", "/redirect-to?url=http%3A%2F%2Fa.b%2Fc%3Fd&status_code=307", body: "x")
        #expect(response.status == 307)
        #expect(response["Location"] == "http://a.b/c?d")
        #expect(try fetch("GET", "/redirect-to?url=/get").status == 302)
        #expect(try fetch("GET", "/redirect-to").status == 400)
        #expect(try fetch("GET", "/redirect-to?url=/&status_code=200").status == 400)
        #expect(try fetch("GET", "/redirect/0").status == 400)
    }

    @Test func `lead curl to the end of a chain`() throws {
        let response = WireResponse(body: try curl("-L", "\(server.url)/absolute-redirect/5"))
        #expect(response.text("url") == "\(server.url)/get")
        #expect(server.log.count == 6)
    }
}
