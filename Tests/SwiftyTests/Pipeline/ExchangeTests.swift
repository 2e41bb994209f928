// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTestServers
import Testing

@Suite("An exchange", .timeLimit(.minutes(15)))
struct ExchangeTests {
    @Test("keeps the cookies of every hop and sends each where it belongs")
    func cookiesOverRedirects() async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        first.route("GET", "/login") { _ in
            .status(302, headers: [("Location", second.url + "/land"), ("Set-Cookie", "first=1; Path=/")])
        }
        second.route("GET", "/land") { _ in
            .status(302, headers: [("Location", first.url + "/home"), ("Set-Cookie", "second=2; Path=/only")])
        }
        first.route("GET", "/home") { .text($0["Cookie"] ?? "none") }
        let jar = CookieJar()
        let base = BaseResource(first.url, networkInterface: Swifty { $0.cookies = jar })
        let response = try await base.get("login").header(.cookie, "own=0").load()
        // Cookies ignore ports, so both servers are one host to them; the path keeps the second cookie away.
        #expect(response.string == "first=1")
        #expect(second.log.last?["Cookie"] == "first=1")
        #expect(jar.allCookies.count == 2)
    }

    @Test("may come back to the same URL with a cookie that was set there, and is a loop without")
    func cookieWall() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/wall") { request in
            if request["Cookie"] == "seen=yes" { return .text("in") }
            return .status(302, headers: [("Location", "/wall"), ("Set-Cookie", "seen=yes")])
        }
        let with = Swifty { $0.cookies = CookieJar() }
        #expect(try await BaseResource(server.url, networkInterface: with).get("wall").load().string == "in")
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource(server.url, networkInterface: Swifty()).get("wall").load()
        }
        #expect(error?.code == .redirectLoop)
    }

    @Test("answers a challenge after a redirect, and counts both in one attempt")
    func challengeAfterRedirect() async throws {
        let gate = DigestProtection(user: "me", password: "secret")
        let server = try LoopbackServer()
        server.route("POST", "/moved") { _ in .status(307, headers: [("Location", "/safe?x=1")]) }
        server.route("POST", "/safe") { gate.respond(to: $0) }
        let credentials = CredentialStore()
        try credentials.set(.digest(user: "me", password: "secret"), for: server.url)
        var configuration = Swifty.Configuration()
        configuration.cookies = CookieJar()
        configuration.credentials = credentials
        let base = BaseResource(server.url, networkInterface: Swifty(configuration: configuration))
        let response = try await base.post("moved").text("content").load()
        #expect(response.statusCode == 200)
        let attempt = try #require(response.metrics.attempts.first)
        #expect(response.metrics.attempts.count == 1)
        #expect(attempt.redirects.map(\.statusCode) == [307])
        #expect(attempt.challenges == 1)
        #expect(server.log.requests.map(\.text) == ["content", "content", "content"])
        // The response shows the request that was sent.
        #expect(response.request?.headers[.authorization]?.hasPrefix("Digest ") == true)
    }

    @Test("gives the credentials of one origin to no other after a redirect")
    func credentialsByOrigin() async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        first.route("GET", "/away") { _ in .status(302, headers: [("Location", second.url + "/there")]) }
        second.route("GET", "/there") { request in
            .text(request["Authorization"] ?? "none")
        }
        second.route("GET", "/ask") { _ in .status(401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")]) }
        first.route("GET", "/asked") { _ in .status(302, headers: [("Location", second.url + "/ask")]) }
        let credentials = CredentialStore()
        let credential = CredentialStore.Credential.basic(user: "me", password: "canary", allowsCleartext: true)
        try credentials.set(credential, for: first.url, preemptively: true)
        var configuration = Swifty.Configuration()
        configuration.credentials = credentials
        let base = BaseResource(first.url, networkInterface: Swifty(configuration: configuration))
        #expect(try await base.get("away").load().string == "none")
        #expect(try await base.get("asked").validate(status: .any).load().statusCode == 401)
        #expect(first.log.requests.allSatisfy { $0["Authorization"] != nil })
        #expect(second.log.requests.allSatisfy { $0["Authorization"] == nil })
    }
}
