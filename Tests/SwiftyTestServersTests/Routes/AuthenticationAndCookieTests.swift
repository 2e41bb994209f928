// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import Testing

@Suite("The authentication and cookie routes", .timeLimit(.minutes(15)))
struct AuthenticationAndCookieTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private static let right = ("Authorization", "basic YTpiOmM=")  // a:b:c

    @Test("accept only the right password")
    func basic() throws {
        let response = try fetch("GET", "/basic-auth/a/b%3Ac", [Self.right])
        #expect(response.status == 200)
        #expect(response.keys == ["authenticated", "user"])
        #expect(response.text("user") == "a")
        let refused = try fetch("GET", "/basic-auth/a/x", [Self.right])
        #expect(refused.status == 401)
        #expect(refused["WWW-Authenticate"] == #"Basic realm="Fake Realm""#)
        #expect(try fetch("GET", "/basic-auth/a/b").status == 401)
    }

    @Test("hide the page from clients without the password")
    func hiddenBasic() throws {
        #expect(try fetch("GET", "/hidden-basic-auth/a/b%3Ac", [Self.right]).status == 200)
        #expect(try fetch("GET", "/hidden-basic-auth/a/x", [Self.right]).status == 404)
    }

    @Test("accept any bearer token")
    func bearer() throws {
        #expect(try fetch("GET", "/bearer", [("Authorization", "Bearer t.1")]).text("token") == "t.1")
        let refused = try fetch("GET", "/bearer", [Self.right])
        #expect(refused.status == 401)
        #expect(refused["WWW-Authenticate"] == "Bearer")
    }

    @Test("list, set and delete cookies")
    func cookies() throws {
        let list = try fetch("GET", "/cookies", [("Cookie", "a=1; b=x=y")])
        #expect(list.text("cookies.a") == "1")
        #expect(list.text("cookies.b") == "x=y")
        let set = try fetch("GET", "/cookies/set?a=1&b=2")
        #expect(set.status == 302)
        #expect(set["Location"] == "/cookies")
        #expect(set.values(of: "Set-Cookie") == ["a=1; Path=/", "b=2; Path=/"])
        #expect(try fetch("GET", "/cookies/set/n/v").values(of: "Set-Cookie") == ["n=v; Path=/"])
        let deleted = try fetch("GET", "/cookies/delete?a")
        #expect(deleted.values(of: "Set-Cookie") == ["a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"])
    }

    @Test("never let a value end its header line")
    func headerInjection() throws {
        let response = try fetch("GET", "/cookies/set?a=1%0D%0AX-Evil:%201")
        #expect(response["X-Evil"] == nil)
        #expect(try fetch("GET", "/response-headers?X%0AY=1%0D%0AZ:2")["X-Y"] == "1  Z:2")
    }
}
