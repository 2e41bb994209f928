// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServiceDSL

@Suite("Header fields", .timeLimit(.minutes(15)))
struct HeaderTests {
    @Test("are replaced whatever their case, or added")
    func replaceAndAdd() async throws {
        let request = try await freeze(
            server().get().header(key: "X-A", value: "1").header(key: "x-a", value: "2").addHeader(
                key: "X-B",
                value: "1"
            )
            .addHeader(key: "X-B", value: "2").headers(["X-C": "3", "X-D": "4"]).header(.ifNoneMatch, "\"e\"")
            .addHeader(.acceptLanguage, "de").header(key: "X-A", value: nil).header(key: "X-E", value: "")
        )
        #expect(
            request.headers.map { "\($0.name.rawName)=\($0.value)" } == [
                "x-a=2", "X-B=1", "X-B=2", "X-C=3", "X-D=4", "If-None-Match=\"e\"", "Accept-Language=de", "X-E=",
            ]
        )
    }

    @Test("are removed whatever their case, also those that another modifier would add, and can be set again")
    func remove() async throws {
        let base = { server().post().header(key: "X-A", value: "1").addHeader(key: "x-a", value: "2") }
        let rows: [(NetworkResource, [String])] = [
            (base().removeHeader(key: "x-A"), []),
            (base().removeHeader(HTTPField.Name("X-A")!), []),
            (base().removeHeader(key: "X-B"), ["X-A=1", "x-a=2"]),
            (base().removeHeader(key: "X-A").header(key: "X-A", value: "3"), ["X-A=3"]),
            (base().removeHeader(key: "X-A").addHeader(key: "X-A", value: "3"), ["X-A=3"]),
            (base().removeHeader(key: "X-A").bearer("t").removeHeader(.authorization), []),
            (base().removeHeader(key: "X-A").json(["a": 1]), ["Content-Type=application/json"]),
            (base().removeHeader(key: "X-A").json(["a": 1]).removeHeader(.contentType), []),
            (base().removeHeader(key: "X-A").contentType("a/b").text("a").removeHeader(key: "content-type"), []),
            (
                base().removeHeader(key: "X-A").removeHeader(.contentType).text("a", mimeType: "a/b"),
                ["Content-Type=a/b"]
            ),
            (base().removeHeader(key: "X-A").idempotencyKey("k").removeHeader(.idempotencyKey), []),
        ]
        for (resource, expected) in rows {
            #expect(try await freeze(resource).headers.map { "\($0.name.rawName)=\($0.value)" } == expected)
        }
        let typed = base().decode([Int].self).removeHeader(key: "X-A")
        #expect(try await freeze(typed).headers.isEmpty)
        let error = await #expect(throws: SwiftyError.self) { try await freeze(base().removeHeader(key: "X A")) }
        #expect(error?.code == .invalidHeader)
    }

    @Test("of a body are not added by the curl command after they were removed")
    func removedFromCommand() {
        #expect(server().post().text("a").cURLDescription.contains("-H 'Content-Type: text/plain; charset=utf-8'"))
        #expect(server().post().text("a").removeHeader(.contentType).cURLDescription.contains("-H 'Content-Type:'"))
    }

    @Test(
        "with a name that is not a token or a value with control bytes are refused before anything is sent",
        arguments: ["\r\nX: y", "a\nb", "a\rb", "a\0b", "a\u{7f}b", "a\u{1}b"]
    )
    func injection(payload: String) async throws {
        let attempts: [NetworkResource] = [
            server().get().header(key: "X", value: payload), server().get().header(key: payload, value: "x"),
            server().get().addHeader(key: "X", value: payload), server().get().headers(["X": payload]),
            server().get().header(.accept, payload),
            server().get().contentType(payload), server().get().accept(payload), server().get().bearer(payload),
        ]
        for resource in attempts {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .invalidHeader)
            #expect(error?.description.contains(payload) == false)
        }
    }

    @Test("whose scalars have the low bytes of a line end stay unchanged")
    func lowBytes() async throws {
        let request = try await freeze(server().get().header(key: "X", value: "\u{10d}\u{10a}"))
        #expect(request.headers[values: .init("X")!] == ["\u{10d}\u{10a}"])
    }

    @Test("lose the white space around their value")
    func trimmed() async throws {
        let request = try await freeze(server().get().header(key: "X", value: " \t a b \t"))
        #expect(request.headers.first?.value == "a b")
    }

    @Test("for credentials are Basic and Bearer, and never appear in a description")
    func credentials() async throws {
        let resource = server().get("x").authorizationHeader(username: "us\u{e9}r", password: "canary:x")
        #expect(try await freeze(resource).headers[.authorization] == "Basic dXPDqXI6Y2FuYXJ5Ong=")
        #expect(try await freeze(server().get().bearer("t")).headers[.authorization] == "Bearer t")
        #expect(try await freeze(server().get().basic("a", "b")).headers[.authorization] == "Basic YTpi")
        var dumped = ""
        dump(resource, to: &dumped)
        for text in ["\(resource)", dumped, resource.cURLDescription, String(reflecting: resource)] {
            #expect(!text.contains("canary"))
            #expect(!text.contains("dXPDqXI6Y2FuYXJ5Ong="))
        }
        let error = await #expect(throws: SwiftyError.self) { try await freeze(server().get().basic("a:b", "canary")) }
        #expect(error?.code == .invalidHeader)
        #expect(error?.description.contains("canary") == false)
    }

    @Test(
        "a Host that another parser could split elsewhere is refused (RFC 9112 §3.2)",
        arguments: [
            "a b", "u@evil", "evil/x", "x, y", "x,y", "a?b", "a#b", "a:b", "a:80:81", "[::1", "a\\b", "http://a",
            "a\tb", "ü.test", "a:99999",
        ]
    )
    func invalidHost(value: String) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await freeze(server().get().header(key: "Host", value: value))
        }
        #expect(error?.code == .invalidHeader)
    }

    @Test(
        "a Host is a name or an address, perhaps with a port",
        arguments: ["a", "A.test:8080", "[::1]:80", "127.0.0.1", "a:", "", "my_host.test."]
    )
    func validHost(value: String) async throws {
        let request = try await freeze(server().get().header(key: "Host", value: value))
        #expect(request.headers.map(\.value) == [value])
    }

    @Test("that contradict the framing are refused, and those that agree are left to the transport")
    func framing() async throws {
        let bad: [NetworkResource] = [
            server().post().header(key: "Transfer-Encoding", value: "chunked"),
            server().post().text("abc").header(key: "Content-Length", value: "5"),
            server().post().text("abc").addHeader(key: "Content-Length", value: "3").addHeader(
                key: "content-length",
                value: "3"
            ),
            server().post().text("abc").header(key: "Content-Length", value: "+3"),
            server().get().addHeader(key: "Host", value: "a").addHeader(key: "host", value: "b"),
        ]
        for resource in bad {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .invalidHeader)
        }
        let good = try await freeze(server().post().text("abc").header(key: "Content-Length", value: "3"))
        #expect(good.headers[.contentLength] == nil)
    }
}
