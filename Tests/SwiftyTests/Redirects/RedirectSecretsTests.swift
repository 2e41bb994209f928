// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import Testing

@testable import Swifty

/// No secret goes to another scheme, host or port.
@Suite("Secrets and redirects", .timeLimit(.minutes(15)))
struct RedirectSecretsTests {
    struct Relation: Sendable {
        let url: String
        let isSameOrigin: Bool
    }

    static let relations = [
        Relation(url: "http://example.test/x", isSameOrigin: true),
        Relation(url: "HTTP://EXAMPLE.test:80/x", isSameOrigin: true),
        Relation(url: "http://sub.example.test/x", isSameOrigin: false),
        Relation(url: "http://evilexample.test/x", isSameOrigin: false),
        Relation(url: "http://example.test.evil/x", isSameOrigin: false),
        Relation(url: "http://example.test./x", isSameOrigin: true),
        Relation(url: "http://example.test:8080/x", isSameOrigin: false),
        Relation(url: "https://example.test/x", isSameOrigin: false),
    ]

    /// The name of the last field reveals nothing; an interceptor has set it.
    static let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Cookie2", "X-Tenant"]

    /// The default transport refuses requests with `Proxy-Authorization`.
    private static let sent = secrets.filter { $0 != "Proxy-Authorization" }

    @Test("never meet: 5 statuses, 6 methods, 8 origins, 6 secrets")
    func matrix() throws {
        var count = 0
        for status in Redirecting.statuses {
            for method in Redirecting.methods {
                for relation in Self.relations {
                    for secret in Self.secrets {
                        try check(status, method, relation, secret)
                        count += 1
                    }
                }
            }
        }
        #expect(count == 1_440)
    }

    private func check(_ status: Int, _ method: HTTPRequest.Method, _ relation: Relation, _ secret: String) throws {
        let name = try #require(HTTPField.Name(secret))
        let own: HTTPFields = [.accept: "a/b"]
        let headers = own + [HTTPField(name: name, value: "canary")]
        let request = try Redirecting.request(method, "http://example.test/", HTTPFields(headers))
        var chain = RedirectChain(RedirectPolicy(resendsContentAcrossOrigins: true), ownFields: [own])
        let head = Redirecting.head(status, to: relation.url)
        let next = try #require(try chain.nextRequest(after: head, of: request))
        #expect(next.headers[name] == (relation.isSameOrigin ? "canary" : nil), "\(status) \(method) \(relation.url)")
        #expect(next.headers[.accept] == "a/b")
    }

    @Test("do not meet where two addresses look alike")
    func addresses() throws {
        for (from, to) in [("http://[::1]/", "http://[::ffff:127.0.0.1]/"), ("http://127.0.0.1/", "http://localhost/")]
        {
            let request = try Redirecting.request(.get, from, [.authorization: "canary"])
            var chain = RedirectChain(.follow, ownFields: [request.headers])
            #expect(try chain.nextRequest(after: Redirecting.head(to: to), of: request)?.headers.isEmpty == true)
        }
    }

    @Test(
        "are more than a few names",
        arguments: [
            "Set-Cookie", "WWW-Authenticate", "Proxy-Authenticate", "X-Auth-Token", "X-Amz-Security-Token",
            "X-CSRF-Token",
            "Ocp-Apim-Subscription-Key", "X-Access-Key", "X-Functions-Key", "Private-Token", "X-Session-Id", "Api-Key",
            "X-Auth", "Host", "Origin", "Referer",
        ]
    )
    func names(name: String) throws {
        #expect(try #require(HTTPField.Name(name)).isBoundToOrigin)
    }

    @Test("stay removed after a change of origin, from a to b to b and from a to b to a; no hook restores them")
    func chains() throws {
        let first = try Redirecting.request(.get, "http://a/", [.authorization: "canary", .accept: "x"])
        for last in ["http://b/2", "http://a/2"] {
            var chain = RedirectChain(.follow, ownFields: [first.headers])
            let second = try #require(try chain.nextRequest(after: Redirecting.head(to: "http://b/1"), of: first))
            try chain.follow(from: first, to: second)
            var third = try #require(try chain.nextRequest(after: Redirecting.head(to: last), of: second))
            #expect(third.headers == [.accept: "x"])
            third.headers[.authorization] = "canary"
            third.headers[.userAgent] = "hook"
            #expect(try chain.applyPolicy(to: third, after: second).headers == [.accept: "x", .userAgent: "hook"])
        }
    }

    @Test(
        "do not arrive over real connections",
        arguments: Redirecting.statuses,
        [HTTPRequest.Method.get, .post, .put]
    )
    func sockets(status: Int, method: HTTPRequest.Method) async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        first.route("*", "/start") { _ in .status(status, headers: [("Location", second.url + "/middle")]) }
        second.route("*", "/middle") { _ in .status(307, headers: [("Location", second.url + "/turn")]) }
        second.route("*", "/turn") { _ in .status(307, headers: [("Location", first.url + "/end")]) }
        first.route("*", "/end") { _ in .text("done") }
        let hook = RequestHook { $0.header("X-Tenant", "canary") }
        let swifty = Swifty {
            $0.redirects = RedirectPolicy(resendsContentAcrossOrigins: true)
            $0.use(hook)
        }
        let base = BaseResource(first.url, networkInterface: swifty)
        let response = try await load(method, base)
        #expect(response.data == Data("done".utf8))
        #expect(response.metrics.redirects.count == 3)
        let later = second.log.requests + first.log.requests(path: "/end")
        #expect(later.count == 3)
        for name in Self.sent {
            #expect(first.log.requests(path: "/start").first?[name] == "canary")
            #expect(later.allSatisfy { $0[name] == nil }, "\(name)")
        }
        #expect(later.allSatisfy { $0["X-Own"] == "kept" })
    }

    private func load(_ method: HTTPRequest.Method, _ base: BaseResource) async throws -> NetworkResponse {
        switch method {
        case .get: try await withSecrets(base.get("start")).load()
        case .put: try await withSecrets(base.put("start").text("body")).load()
        default: try await withSecrets(base.post("start").text("body")).load()
        }
    }

    private func withSecrets<Resource: ModifiableResource>(_ resource: Resource) -> Resource {
        for name in Self.sent.dropLast() { resource.header(name, "canary") }
        return resource.header("X-Own", "kept")
    }
}
