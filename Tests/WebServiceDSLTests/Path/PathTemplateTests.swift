// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A path", .timeLimit(.minutes(15)))
struct PathTemplateTests {
    @Test(
        "is joined to the base path and the base query",
        arguments: [
            ("https://a", "ip", "https://a/ip"), ("https://a/", "/ip", "https://a/ip"),
            ("https://a/v1", "", "https://a/v1"),
            ("https://a/v1/", "x/", "https://a/v1/x/"), ("https://a/v1?key=1", "x?b=2", "https://a/v1/x?key=1&b=2"),
            ("https://a", "x?", "https://a/x"), ("https://a", "a%20b", "https://a/a%20b"),
            ("https://a", "a b", "https://a/a%20b"),
            ("https://a", "ü", "https://a/%C3%BC"), ("https://a", "100%", "https://a/100%25"),
            ("https://a", "a//b", "https://a/a//b"), ("https://a/v1/../v2", "x", "https://a/v2/x"),
            ("https://a/v1/%2e%2E/v2/.?k=1", "/x", "https://a/v2/x?k=1"), ("https://A./..", "x/", "https://a/x/"),
        ]
    )
    func joins(base: String, path: String, url: String) async throws {
        #expect(try await freeze(server(base).get(path)).target.string == url)
    }

    @Test(
        "that would leave the base URL is refused",
        arguments: [
            "//evil", "http://evil/", "HTTPS://evil", "../admin", "a/../../b", "a/%2e%2E/b", "%2e", "a/.%2E", "%2E./b",
            ".", "./x", "a\r\nb",
            "a\0b", "x#y", "\\\\evil",
        ]
    )
    func refuses(path: String) async throws {
        let error = await #expect(throws: SwiftyError.self) { try await freeze(server().get(path)) }
        #expect(error?.code == .invalidURL)
    }

    @Test(
        "variable becomes exactly one percent-encoded segment",
        arguments: [
            ("apple", "apple"), ("a/b", "a%2Fb"), ("a b", "a%20b"), ("%2e%2e", "%252e%252e"), ("a/../b", "a%2F..%2Fb"),
            ("//evil", "%2F%2Fevil"), ("http://evil/", "http%3A%2F%2Fevil%2F"), ("..\\", "..%5C"), (";/..", "%3B%2F.."),
            ("?x=1", "%3Fx%3D1"), ("#f", "%23f"), ("a&b", "a%26b"), ("\r\nX: y", "%0D%0AX%3A%20y"), ("é", "%C3%A9"),
            ("{x}", "%7Bx%7D"),
        ]
    )
    func encodesVariables(value: String, segment: String) async throws {
        let request = try await freeze(server().get("users/{user}/repos", ["user": value]))
        #expect(request.target.string == "https://api.example.com/v1/users/\(segment)/repos")
        #expect(request.template == "users/{user}/repos")
    }

    @Test("variable that is a dot segment or empty is refused", arguments: [".", "..", ""])
    func refusesDotVariables(value: String) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await freeze(server().get("users/{user}/repos", ["user": value]))
        }
        #expect(error?.code == .invalidURL)
    }

    @Test("cannot get a dot segment from two variables")
    func refusesAssembledDots() async throws {
        await #expect(throws: SwiftyError.self) { try await freeze(server().get("a/{x}{y}/b", ["x": ".", "y": "."])) }
    }

    @Test("takes numbers and several variables")
    func numbers() async throws {
        let request = try await freeze(server().get("a/{x}/{y}-{z}?page={x}", ["x": 42, "y": true, "z": 1.5]))
        #expect(request.target.string == "https://api.example.com/v1/a/42/true-1.5?page=42")
    }

    enum Period: String, PathVariable {
        case day, week
    }

    enum Level: Int, PathVariable {
        case high = 3
    }

    /// A type with a text of its own.
    struct Key: PathVariable {
        let parts: [String]
        var pathText: String { parts.joined(separator: ":") }
    }

    @Test("takes UUIDs, enums with raw values, substrings, and custom types")
    func kindsOfVariables() async throws {
        let id = try #require(UUID(uuidString: "8d3e3b1c-7d3c-4a51-9a4e-2f6f3d0b7a11"))
        let variables: PathVariables = [
            "id": id, "period": Period.week, "level": Level.high, "part": "a b".prefix(2),
            "key": Key(parts: ["a", "/"]),
            "byte": UInt8.max,
        ]
        let request = try await freeze(server().get("{id}/{period}/{level}/{part}/{key}/{byte}", variables))
        let path = "/v1/8D3E3B1C-7D3C-4A51-9A4E-2F6F3D0B7A11/week/3/a%20/a%3A%2F/255"
        #expect(request.target.path == path)
    }

    @Test("is read byte by byte: a combining character does not merge with a brace or slash")
    func combiningCharacters() async throws {
        let request = try await freeze(server().get("a/{x}\u{301}/\u{301}b?\u{301}", ["x": 1]))
        #expect(request.target.string == "https://api.example.com/v1/a/1%CC%81/%CC%81b?%CC%81")
    }

    @Test(
        "with a missing, unused or malformed variable is an error that says so",
        arguments: [
            ("users/{user}", [:], "{user}"), ("users", ["user": "x"], "{user}"),
            ("users/{user", ["user": "x"], "brace"), ("users/}", [:], "brace"),
        ]
    )
    func variableErrors(path: String, variables: [String: String], hint: String) async throws {
        let error = await #expect(throws: SwiftyError.self) { try await freeze(server().get(path, variables)) }
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains(hint) == true)
    }
}
