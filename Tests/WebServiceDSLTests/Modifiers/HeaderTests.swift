// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Header fields", .timeLimit(.minutes(15)))
struct HeaderTests {
    @Test("are replaced whatever their case, or added")
    func replaceAndAdd() async throws {
        let request = try await freeze(
            server().get().header("X-A", "1").header("x-a", "2").addHeader("X-B", "1")
                .addHeader("X-B", "2").headers(["X-C": "3", "X-D": "4"]).header(.ifNoneMatch, "\"e\"")
                .addHeader(.acceptLanguage, "de").header(key: "X-A", value: nil).header("X-E", "")
        )
        #expect(
            request.headers.map { "\($0.name.rawName)=\($0.value)" } == [
                "x-a=2", "X-B=1", "X-B=2", "X-C=3", "X-D=4", "If-None-Match=\"e\"", "Accept-Language=de", "X-E=",
            ]
        )
    }

    @Test("are set to dates, and read as dates in every form")
    func dates() async throws {
        let date = Date(timeIntervalSince1970: 784_111_777.9)
        let request = try await freeze(server().get("x").header(.ifModifiedSince, date: date))
        #expect(request.headers[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        let texts = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "yesterday", "",
        ]
        let expected = Date(timeIntervalSince1970: 784_111_777)
        for text in texts {
            let fields: HTTPFields = [.lastModified: text]
            #expect(fields.date(.lastModified) == (text.hasPrefix("Sun") ? expected : nil), "\(text)")
        }
        var fields: HTTPFields = [.date: "old"]
        for (seconds, text) in [(-Double.infinity, "1000"), (-1e300, "1000"), (.nan, "1970"), (.infinity, "9999")] {
            fields.setDate(Date(timeIntervalSince1970: seconds), for: .date)
            #expect(fields[.date]?.contains(" \(text) ") == true)
        }
        fields.setDate(expected, for: .date)
        #expect(fields.date(.date) == expected)
        #expect(fields.count == 1)
        #expect(fields.date(.expires) == nil)
    }

    @Test("are set in the same way if there are many", arguments: [2, 31, 32, 33, 1_000])
    func many(count: Int) async throws {
        let others = Dictionary(uniqueKeysWithValues: (0..<count).map { ("X-\($0)", " \($0) ") })
            .merging(["a-b": "1", "A-B": "2", "x-0": "last"]) { _, new in new }
        let base = { server().get().header("A-b", "0").addHeader("a-B", "0").header("X-Z", "z").header("X-1", "0") }
        let sorted = others.sorted { $0.key < $1.key }
        let single = try await freeze(sorted.reduce(base()) { $0.header($1.key, $1.value) }).headers
        let together = try await freeze(base().headers(others)).headers
        #expect(together.map { "\($0.name.rawName)=\($0.value)" } == single.map { "\($0.name.rawName)=\($0.value)" })
        #expect(together.count == count + 2)
        for invalid in ["X A": "1", "X-C": "1\n2"] {
            let resource = base().headers(others.merging([invalid.key: invalid.value]) { _, new in new })
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .invalidHeader)
        }
    }

    @Test("are refused if there are more than HTTPTypes can hold, and none is lost below that")
    func tooMany() async throws {
        let most = Dictionary(uniqueKeysWithValues: (0..<60_000).map { ("X-\($0)", "") })
        #expect(try await freeze(server().get().headers(most)).headers.count == 60_000)
        for resource in [
            server().get().headers(most).header("X-New", "1"), server().get().headers(most).addHeader("X-0", "1"),
            server().get().header("X-New", "1").headers(most),
        ] {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .invalidHeader)
        }
    }

    @Test("are removed whatever their case, also those that another modifier would add, and can be set again")
    func remove() async throws {
        let base = { server().post().header("X-A", "1").addHeader("x-a", "2") }
        let rows: [(NetworkResource, [String])] = [
            (base().removeHeader("x-A"), []),
            (base().removeHeader(HTTPField.Name("X-A")!), []),
            (base().header("x-A", nil), []), (base().header(HTTPField.Name("X-A")!, nil), []),
            (base().header("X-B", nil), ["X-A=1", "x-a=2"]), (base().header("x-A", nil).header("X-A", "3"), ["X-A=3"]),
            (base().removeHeader("X-B"), ["X-A=1", "x-a=2"]),
            (base().removeHeader("X-A").header("X-A", "3"), ["X-A=3"]),
            (base().removeHeader("X-A").addHeader("X-A", "3"), ["X-A=3"]),
            (base().removeHeader("X-A").bearer("t").removeHeader(.authorization), []),
            (base().removeHeader("X-A").json(["a": 1]), ["Content-Type=application/json"]),
            (base().removeHeader("X-A").json(["a": 1]).removeHeader(.contentType), []),
            (base().removeHeader("X-A").contentType("a/b").text("a").removeHeader("content-type"), []),
            (
                base().removeHeader("X-A").removeHeader(.contentType).text("a", contentType: "a/b"),
                ["Content-Type=a/b"]
            ),
            (base().removeHeader("X-A").idempotencyKey("k").removeHeader(.idempotencyKey), []),
        ]
        for (resource, expected) in rows {
            #expect(try await freeze(resource).headers.map { "\($0.name.rawName)=\($0.value)" } == expected)
        }
        let typed = base().decode([Int].self).removeHeader("X-A")
        #expect(try await freeze(typed).headers.isEmpty)
        let error = await #expect(throws: SwiftyError.self) { try await freeze(base().removeHeader("X A")) }
        #expect(error?.code == .invalidHeader)
    }

    @Test("of content are not added by the curl command after they were removed")
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
            server().get().header("X", payload), server().get().header(payload, "x"),
            server().get().addHeader("X", payload), server().get().headers(["X": payload]),
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
        let request = try await freeze(server().get().header("X", "\u{10d}\u{10a}"))
        #expect(request.headers[values: .init("X")!] == ["\u{10d}\u{10a}"])
    }

    @Test("lose the white space around their value")
    func trimmed() async throws {
        let request = try await freeze(server().get().header("X", " \t a b \t"))
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
            try await freeze(server().get().header("Host", value))
        }
        #expect(error?.code == .invalidHeader)
    }

    @Test(
        "a Host is a name or an address, perhaps with a port",
        arguments: ["a", "A.test:8080", "[::1]:80", "127.0.0.1", "a:", "", "my_host.test."]
    )
    func validHost(value: String) async throws {
        let request = try await freeze(server().get().header("Host", value))
        #expect(request.headers.map(\.value) == [value])
    }

    @Test("that contradict the framing are refused, and those that agree are left to the transport")
    func framing() async throws {
        let bad: [NetworkResource] = [
            server().post().header("Transfer-Encoding", "chunked"),
            server().post().text("abc").header("Content-Length", "5"),
            server().post().text("abc").addHeader("Content-Length", "3").addHeader("content-length", "3"),
            server().post().text("abc").header("Content-Length", "+3"),
            server().get().addHeader("Host", "a").addHeader("host", "b"),
        ]
        for resource in bad {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .invalidHeader)
        }
        let good = try await freeze(server().post().text("abc").header("Content-Length", "3"))
        #expect(good.headers[.contentLength] == nil)
    }
}
