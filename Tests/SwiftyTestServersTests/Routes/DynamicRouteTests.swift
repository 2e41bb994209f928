// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import Testing

@Suite("The routes that generate and drip bytes", .timeLimit(.minutes(15)))
struct DynamicRouteTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("send the bytes that the seed of the request determines, in any chunk size")
    func seeds() throws {
        let bytes = try fetch("GET", "/bytes/200001?seed=7")
        #expect(bytes.content.count == 200_001)
        #expect(bytes["Content-Length"] == "200001")
        #expect(try fetch("GET", "/bytes/200001?seed=7").content == bytes.content)
        #expect(try fetch("GET", "/bytes/200001?seed=8").content != bytes.content)
        let streamed = try fetch("GET", "/stream-bytes/200001?seed=7&chunk_size=100003")
        #expect(streamed.content == bytes.content)
        #expect(streamed.chunks == [100_003, 99_998])
        #expect(try fetch("GET", "/bytes/64").content != fetch("GET", "/bytes/64").content)
        #expect(try fetch("GET", "/bytes/0").content.isEmpty)
        #expect(try fetch("GET", "/stream-bytes/0").content.isEmpty)
    }

    @Test("send a hundred megabytes")
    func hundredMegabytes() throws {
        let response = try fetch("GET", "/bytes/104857600?seed=1")
        #expect(response.content.count == 104_857_600)
    }

    @Test(
        "reject a number that is malformed or out of range",
        arguments: [
            "/bytes/x", "/bytes/-1", "/bytes/104857601", "/stream/x", "/stream-bytes/5?chunk_size=0", "/bytes/1?seed=x",
        ]
    )
    func invalidNumbers(path: String) throws {
        #expect(try fetch("GET", path).status == 400)
    }

    @Test("stream lines of JSON, one in each chunk")
    func streamedLines() throws {
        let response = try fetch("GET", "/stream/25?a=b")
        #expect(response.chunks.count == 25)
        let lines = response.text.split(separator: "\n")
        for (index, line) in lines.enumerated() {
            let object = WireResponse(content: Data(line.utf8))
            #expect(object.member("id") as? Double == Double(index))
            #expect(object.text("args.a") == "b")
        }
        #expect(lines.count == 25)
    }

    @Test("serve ranges")
    func ranges() throws {
        let whole = try fetch("GET", "/range/1000?seed=3")
        #expect(whole["Accept-Ranges"] == "bytes")
        let part = try fetch("GET", "/range/1000?seed=3", [("Range", "bytes=990-2000")])
        #expect(part.status == 206)
        #expect(part["Content-Range"] == "bytes 990-999/1000")
        #expect(part.content == whole.content.suffix(10))
        #expect(try fetch("GET", "/range/1000?seed=3", [("Range", "bytes=-5")]).content == whole.content.suffix(5))
        #expect(try fetch("GET", "/range/1000?seed=3", [("Range", "bytes=3-3")]).content == whole.content[3...3])
        #expect(try fetch("GET", "/range/1000", [("Range", "bytes=1000-")])["Content-Range"] == "bytes */1000")
        #expect(try fetch("GET", "/range/1000", [("Range", "bytes=1-"), ("If-Range", "\"old\"")]).status == 200)
        let valid = [("Range", "bytes=1-"), ("If-Range", whole["ETag"] ?? "")]
        #expect(try fetch("GET", "/range/1000?seed=3", valid).status == 206)
        for odd in ["bytes=", "bytes=-", "bytes=5-3", "bytes=-0", "lines=1-2", "bytes=0-0,2-2", "bytes=a-b"] {
            #expect([200, 416].contains(try fetch("GET", "/range/1000", [("Range", odd)]).status))
        }
    }

    @Test("delay the response")
    func delay() throws {
        let start = ContinuousClock.now
        let response = try fetch("PUT", "/delay/0.25?a=1", content: "x")
        #expect(ContinuousClock.now - start >= .milliseconds(250))
        #expect(response.keys == ["args", "data", "files", "form", "headers", "origin", "url"])
        #expect(try fetch("GET", "/delay/abc").status == 400)
        #expect(try fetch("GET", "/delay/-1").status == 400)
        #expect(try fetch("GET", "/delay/nan").status == 400)
    }

    @Test("drip bytes over a duration")
    func drip() throws {
        let start = ContinuousClock.now
        let response = try fetch("GET", "/drip?duration=0.3&numbytes=5&code=203&delay=0.1")
        #expect(ContinuousClock.now - start >= .milliseconds(400))
        #expect(response.status == 203)
        #expect(response.text == "*****")
        #expect(try fetch("GET", "/drip?duration=0&numbytes=12345&delay=0").content.count == 12_345)
    }
}
