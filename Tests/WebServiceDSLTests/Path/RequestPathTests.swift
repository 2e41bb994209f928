// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A literal path", .timeLimit(.minutes(15)))
struct RequestPathTests {
    private enum Period: String {
        case day
        case week = "a/week"
    }

    private enum Level: Int {
        case high = 3
    }

    private enum Named: String, PathVariable {
        case one

        var pathText: String { "number one" }
    }

    private func url(of resource: NetworkResource) async throws -> String {
        String(try await freeze(resource).target.string.dropFirst("https://api.example.com/v1/".count))
    }

    private func failure(of resource: NetworkResource) async -> SwiftyError? {
        do throws(SwiftyError) {
            let request = try await freeze(resource)
            Issue.record("sent \(request.target.string)")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "encodes an interpolated value as one segment, whatever it is",
        arguments: [
            ("apple", "apple"), ("a/b", "a%2Fb"), ("x?admin=1", "x%3Fadmin%3D1"), ("a&b=c", "a%26b%3Dc"),
            ("#f", "%23f"),
            ("../../admin", "..%2F..%2Fadmin"), ("//evil.test", "%2F%2Fevil.test"), ("%2e%2e", "%252e%252e"),
            ("http://evil.test/", "http%3A%2F%2Fevil.test%2F"), ("{x}", "%7Bx%7D"), ("}{", "%7D%7B"),
            ("\r\nX: y", "%0D%0AX%3A%20y"), ("\\\\evil", "%5C%5Cevil"), ("é", "%C3%A9"), ("a b+c", "a%20b%2Bc"),
        ]
    )
    func segments(value: String, segment: String) async throws {
        let request = try await freeze(server().get("users/\(value)/repos"))
        #expect(request.target.string == "https://api.example.com/v1/users/\(segment)/repos")
        #expect(request.template == "users/{}/repos")
        #expect(try await url(of: server().post("\(value)")) == segment)
        #expect(try await url(of: server().put("v\(value).json")) == "v\(segment).json")
        #expect(try await url(of: server().request("PROPFIND", "a/\(value)-\(value)")) == "a/\(segment)-\(segment)")
        #expect(try await url(of: server().delete("find?q=\(value)&r=1")) == "find?q=\(segment)&r=1")
    }

    @Test("is preferred to a string in every call, whatever arguments follow")
    func isPreferred() async throws {
        let (base, value, none) = (server(), "a/b", PathVariables())
        let named: PathVariables = ["id": 1]
        let resources = [
            base.get("\(value)/{id}", ["id": 1]), base.head("\(value)/{id}", named), base.options("\(value)/1", none),
            base.post("\(value)/{id}", ["id": "1"]), base.put("\(value)/{id}", ["id": 1], function: "f"),
            base.patch("\(value)/1", [:]), base.delete("\(value)/1", function: "f"), base.request("GET", "\(value)/1"),
            base.request("GET", "\(value)/{id}", ["id": 1]), base.request("GET", "\(value)/{id}", named),
            base.request("GET", "\(value)/1", function: "f"), [value].map { base.get("\($0)/{id}", ["id": "1"]) }[0],
        ]
        for resource in resources { #expect(try await url(of: resource) == "a%2Fb/1") }
    }

    @Test("takes every path variable, and an enum with such a raw value")
    func values() async throws {
        let id = UUID()
        let any: any PathVariable = 7
        #expect(try await url(of: server().get("a/\(42)/\(1.5)/\(true)/\(id)")) == "a/42/1.5/true/\(id.uuidString)")
        let (number, none): (Int?, String?) = (7, nil)
        #expect(try await url(of: server().get("\(number, default: "x/y")/\(none, default: "x/y")")) == "7/x%2Fy")
        #expect(try await url(of: server().get("\(Period.day)/\(Period.week)/\(Level.high)")) == "day/a%2Fweek/3")
        #expect(try await url(of: server().get("\(Named.one)/\(any)/\("xyz".prefix(2))")) == "number%20one/7/xy")
    }

    @Test("keeps its template for names, metrics and mocks")
    func template() async throws {
        let user = "apple"
        let named = server().get("users/\(user, as: "user")/repos?page=\(2)")
        #expect(try await freeze(named).template == "users/{user}/repos")
        #expect(try await freeze(server().get("users/\(user)/\(raw: "a/b")")).template == "users/{}/{*}")
        #expect(try await freeze(server().get("files/\(raw: "a/b", as: "file")")).template == "files/{file*}")
        let mixed = server().get("\(user)/{id}/\(user)", ["id": "a/b"])
        #expect(try await freeze(mixed).template == "{}/{id}/{}")
        #expect(try await url(of: mixed) == "apple/a%2Fb/apple")
    }

    @Test(
        "takes a raw path of several segments",
        arguments: [
            ("a", "a"), ("a/b/c", "a/b/c"), ("a//b", "a//b"), ("a/", "a/"), ("a%2Fb/c d", "a%2Fb/c%20d"),
            ("50%", "50%25"), ("a/.b/..c", "a/.b/..c"), ("a:b", "a:b"), ("{x}", "%7Bx%7D"),
        ]
    )
    func raw(path: String, sent: String) async throws {
        #expect(try await url(of: server().get("files/\(raw: path)")) == "files/\(sent)")
        #expect(try await url(of: server().get("\(raw: path)")) == sent)
    }

    private static let leaving = [
        "", "/", "/a", "//evil.test/a", "a?b=1", "a#b", "..", "a/../b", "a/%2e%2E", ".", "http://evil.test/",
        "\\\\evil.test", "a\r\nb", "a\0",
    ]

    @Test("refuses a raw path that leaves its place", arguments: leaving)
    func leavingRaw(path: String) async throws {
        #expect(await failure(of: server().get("\(raw: path)"))?.code == .invalidURL)
        #expect(await failure(of: server().get("files/\(raw: path)"))?.code == .invalidURL)
    }

    @Test("refuses a raw path in the query")
    func rawQuery() async throws {
        let error = await failure(of: server().get("find?\(raw: "a")"))
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains("query(_:)") == true)
    }

    @Test(
        "fills a variable of several segments, each percent-encoded",
        arguments: [("a", "a"), ("a/b c/é", "a/b%20c/%C3%A9"), ("a%2Fb", "a%252Fb"), ("http://x", "http%3A//x")]
    )
    func severalSegments(value: String, sent: String) async throws {
        let resource = server().get("files/{key*}/versions", ["key": value])
        #expect(try await url(of: resource) == "files/\(sent)/versions")
        #expect(try await freeze(resource).template == "files/{key*}/versions")
    }

    @Test(
        "refuses a variable of several segments that leaves its place",
        arguments: ["", "/", "/a", "//evil.test", "a?b", "a#b", "..", "a/../b", "."]
    )
    func leavingSegments(value: String) async throws {
        #expect(await failure(of: server().get("files/{key*}", ["key": value]))?.code == .invalidURL)
    }

    @Test(
        "says what is wrong with a value",
        arguments: [
            ("a/\("")/b", "a value in the path \"a/{}/b\" is empty"), ("a/\(Double.nan)", "has no text"),
            ("a/\(".")", "dot segment"), ("a/\(".")\(".")/b", "dot segment"), ("a{\(1)}", "within the braces"),
            ("a/\(1, as: "x}")", "has a name"), ("a/\(1, as: "")", "has a name"), ("a/\(1, as: "x*")", "has a name"),
            ("a/\(raw: "/b")", "begins with a slash"), ("a/\(1)/{id}", "no value was given"),
        ] as [(RequestPath, String)]
    )
    func faults(path: RequestPath, words: String) async throws {
        let error = await failure(of: server().get(path))
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    }

    @Test("hides a value whose name marks a secret")
    func secret() async throws {
        let resource = server().get("reset/\("canary-1", as: "token")/\("shown")")
        #expect(!"\(resource)".contains("canary"), "\(resource)")
        #expect("\(resource)".contains("shown"))
    }

    @Test("is not taken for one when a string has it")
    func strings() async throws {
        let path = "users/a/b?c=1"
        #expect(try await url(of: server().get(path.dropFirst(6))) == "a/b?c=1")
        #expect(try await url(of: server().get("users/" + "{id}", ["id": "a/b"])) == "users/a%2Fb")
        #expect(try await url(of: server().get(path)) == "users/a/b?c=1")
        #expect(try await url(of: server().request("GET", path)) == "users/a/b?c=1")
        for resource in [server().post(path), server().put(path), server().patch(path), server().delete(path)] {
            #expect(try await url(of: resource) == "users/a/b?c=1")
        }
        #expect(try await url(of: server().head(path)) == (try await url(of: server().options(path))))
    }
}
