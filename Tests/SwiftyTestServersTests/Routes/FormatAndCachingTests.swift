// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The format and caching routes", .timeLimit(.minutes(15)))
struct FormatAndCachingTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("serve documents")
    func documents() throws {
        #expect(try fetch("GET", "/json").text("voyage.title") == "A short trip by ferry")
        #expect(try fetch("GET", "/html")["Content-Type"] == "text/html; charset=utf-8")
        #expect(try fetch("GET", "/encoding/utf8").text.contains("日本語"))
    }

    @Test("compress the content", arguments: [("gzip", "gzipped"), ("deflate", "deflated")])
    func compression(coding: String, flag: String) async throws {
        let response = try fetch("GET", "/\(coding)")
        #expect(response["Content-Encoding"] == coding)
        #expect(Array(response.content.prefix(1)) == (coding == "gzip" ? [0x1F] : [0x78]))
        let plain = WireResponse(content: try await curl("--compressed", "-H", "X-A: b", "\(server.url)/\(coding)"))
        #expect(plain.keys == [flag, "headers", "method", "origin"].sorted())
        #expect(plain.text("headers.X-A") == "b")
    }

    @Test("respond to conditional requests with 304")
    func conditional() throws {
        let fresh = try fetch("GET", "/cache")
        #expect(fresh.status == 200)
        #expect(fresh["ETag"] != nil)
        #expect(fresh["Last-Modified"]?.hasSuffix(" GMT") == true)
        #expect(try fetch("GET", "/cache", [("If-None-Match", "\"x\"")]).status == 304)
        #expect(try fetch("GET", "/cache", [("If-Modified-Since", "x")]).status == 304)
        #expect(try fetch("GET", "/cache/60")["Cache-Control"] == "public, max-age=60")
    }

    @Test("compare entity tags")
    func entityTags() throws {
        #expect(try fetch("GET", "/etag/x")["ETag"] == "\"x\"")
        #expect(try fetch("GET", "/etag/x", [("If-None-Match", "\"y\", W/\"x\"")]).status == 304)
        #expect(try fetch("GET", "/etag/x", [("If-None-Match", "*")]).status == 304)
        #expect(try fetch("GET", "/etag/x", [("If-None-Match", "\"y\"")]).status == 200)
        #expect(try fetch("GET", "/etag/x", [("If-Match", "\"y\"")]).status == 412)
        #expect(try fetch("GET", "/etag/x", [("If-Match", "\"x\"")]).status == 200)
    }

    @Test("send the requested header fields")
    func responseHeaders() throws {
        let response = try fetch("GET", "/response-headers?X-A=1&Link=a&Link=b&Content-Length=7")
        #expect(response["X-A"] == "1")
        #expect(response.values(of: "Link") == ["a", "b"])
        #expect(response.text("Content-Length") == "\(response.content.count)")
        #expect(response.member("Link") as? [String] == ["a", "b"])
        #expect(response["Content-Type"] == "application/json")
        #expect(try fetch("POST", "/response-headers?Content-Type=a/b")["Content-Type"] == "a/b")
    }

    @Test("decode Base64")
    func base64() throws {
        #expect(try fetch("GET", "/base64/U3dpZnR5IPCfmrI=").text == "Swifty 🚲")
        #expect(try fetch("GET", "/base64/w6_Dv8O-").text == "ïÿþ")
        #expect(try fetch("GET", "/base64/U3").text == "S")
        #expect(try fetch("GET", "/base64/!!!").status == 400)
    }
}
