// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The echo routes", .timeLimit(.minutes(15)))
struct EchoTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private static let form = ("Content-Type", "application/x-www-form-urlencoded")

    @Test("return arguments, headers, origin and URL of a GET")
    func get() throws {
        let response = try fetch("GET", "/get?b=2&a=x%20y+z&b=3&empty=&bare", [("x-One", "1"), ("X-one", "2")])
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "application/json")
        #expect(response.keys == ["args", "headers", "origin", "url"])
        #expect(response.text("args.a") == "x y z")
        #expect(response.member("args.b") as? [String] == ["2", "3"])
        #expect(response.text("args.empty") == "")
        #expect(response.text("args.bare") == "")
        #expect(response.text("headers.X-One") == "1,2")
        #expect(response.text("headers.Host") == "test.local:1234")
        #expect(response.text("origin") == "127.0.0.1")
        #expect(response.text("url") == "http://test.local:1234/get?b=2&a=x%20y+z&b=3&empty=&bare")
    }

    @Test("return the JSON content", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func jsonContent(method: String) throws {
        let body = #"{"name":"é","n":12345678901234,"x":1.5,"list":["a","b"],"ok":true,"none":null}"#
        let response = try fetch(
            method,
            "/\(method.lowercased())",
            [("Content-Type", "application/json")],
            content: body
        )
        #expect(response.keys == ["args", "data", "files", "form", "headers", "json", "origin", "url"])
        #expect(response.text("data") == body)
        #expect(response.text("json.name") == "é")
        #expect(response.member("json.n") as? Double == 12_345_678_901_234)
        #expect(response.member("json.x") as? Double == 1.5)
        #expect(response.member("json.list") as? [String] == ["a", "b"])
        #expect(response.text.contains("\"n\" : 12345678901234"))
    }

    @Test("return null for content that is not JSON")
    func otherContent() throws {
        let response = try fetch("POST", "/post", [("Content-Type", "text/plain")], content: "hello")
        #expect(response.text("data") == "hello")
        #expect(response.text.contains("\"json\" : null"))
    }

    @Test("return a form's fields instead of its text")
    func form() throws {
        let response = try fetch("POST", "/post", [Self.form], content: "a=1&b=%C3%A9+%26&a=2&broken=%zz%4")
        #expect(response.member("form.a") as? [String] == ["1", "2"])
        #expect(response.text("form.b") == "é &")
        #expect(response.text("form.broken") == "%zz%4")
        #expect(response.text("data") == "")
    }

    @Test("return bytes that are not text as a data URL")
    func binaryContent() throws {
        let client = try SocketClient(port: server.port)
        let response = try client.exchange("POST", "/post", [], bytes: [0xFF, 0, 0xFE])
        #expect(response.text("data") == "data:application/octet-stream;base64,/wD+")
    }

    @Test("return fields and files of multipart content")
    func multipart() throws {
        let body = [
            "preamble", "--b 1", #"Content-Disposition: form-data; name="a""#, "", "one", "--b 1",
            #"content-disposition: form-data; filename="x;\"y\".txt"; name="f""#, "Content-Type: text/plain", "",
            "line 1", "--not a boundary", "", "--b 1", #"Content-Disposition: form-data; name="a""#, "", "", "--b 1--",
            "",
        ].joined(separator: "\r\n")
        let type = ("Content-Type", #"multipart/form-data; boundary="b 1""#)
        let response = try fetch("POST", "/post", [type], content: body)
        #expect(response.member("form.a") as? [String] == ["one", ""])
        #expect(response.text("files.f") == "line 1\r\n--not a boundary\r\n")
        #expect(response.text("data") == "")
    }

    @Test("parse the multipart content of curl")
    func multipartOfCURL() async throws {
        let data = try await curl("-F", "a=1", "-F", "f=@-;filename=x", "\(server.url)/post", "--form-string", "b=@x")
        let response = WireResponse(content: data)
        #expect(response.text("form.a") == "1")
        #expect(response.text("form.b") == "@x")
        #expect(response.keys.contains("files"))
    }

    @Test("accept any method at /anything", arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"])
    func anything(method: String) throws {
        for path in ["/anything", "/anything/", "/anything/a/b%2Fc?x=1"] {
            let response = try fetch(method, path, content: method == "GET" ? nil : "[1]")
            #expect(response.text("method") == method)
            #expect(response.text("url") == "http://test.local:1234\(path)")
        }
    }

    @Test("return single values")
    func singleValues() throws {
        #expect(try fetch("GET", "/ip").text("origin") == "127.0.0.1")
        #expect(try fetch("GET", "/headers", [("A-b", "c")]).text("headers.A-B") == "c")
        #expect(try fetch("GET", "/user-agent", [("User-Agent", "me/1")]).text("user-agent") == "me/1")
        let uuid = try #require(try fetch("GET", "/uuid").text("uuid"))
        #expect(UUID(uuidString: uuid) != nil)
    }
}
