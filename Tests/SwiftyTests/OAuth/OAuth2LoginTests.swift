// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("OAuth2: a login with an authorization code", .timeLimit(.minutes(15)))
struct OAuth2LoginTests {
    private let redirect = "http://127.0.0.1:8400/login"

    private func begin(
        _ oauth: OAuth2,
        at url: String = "https://auth.example.com/authorize",
        issuer: String? = nil
    ) throws -> OAuth2.Login {
        try oauth.beginLogin(authorizationURL: url, redirectURI: redirect, issuer: issuer)
    }

    private func parameters(_ login: OAuth2.Login) -> QueryParameters {
        QueryParameters(query: (try? TargetURI(login.url))?.query ?? "")
    }

    /// The callback with a code, and the state of the login.
    private func callback(_ login: OAuth2.Login, _ rest: String = "code=code-secret") -> String {
        "\(redirect)?\(rest)&state=\(parameters(login)["state"] ?? "none")"
    }

    private func failure(_ login: OAuth2.Login, _ callback: String) async -> OAuth2.LoginError? {
        let error = await #expect(throws: SwiftyError.self) { try await login.finish(with: callback) }
        #expect(error?.code == .loginFailed, "\(String(describing: error))")
        return error?.underlying as? OAuth2.LoginError
    }

    @Test("leads to a URL with a new challenge and state each time, and with all parameters of the request")
    func url() throws {
        let oauth = ScriptedAuthorizer(.token).oauth(scope: "orders read")
        let logins = try (0..<2).map { _ in
            try oauth.beginLogin(
                authorizationURL: "https://auth.example.com/authorize?tenant=a%20b",
                redirectURI: "\(redirect)?a=1",
                parameters: ["prompt": "login", "state": "fixed"]
            )
        }
        let all = logins.map(parameters)
        #expect(logins[0].url.hasPrefix("https://auth.example.com/authorize?tenant=a%20b&"))
        for parameters in all {
            #expect(parameters["response_type"] == "code")
            #expect(parameters["client_id"] == "tool")
            #expect(parameters["redirect_uri"] == "\(redirect)?a=1")
            #expect(parameters["scope"] == "orders read")
            #expect(parameters["prompt"] == "login")
            #expect(parameters["code_challenge_method"] == "S256")
            #expect(parameters["code_challenge"]?.utf8.count == 43)
            #expect(parameters["state"]?.utf8.count == 64)
            #expect(Set(parameters.map(\.name)).count == parameters.count)
        }
        #expect(all[0]["state"] != all[1]["state"])
        #expect(all[0]["code_challenge"] != all[1]["code_challenge"])
        let narrow = try oauth.beginLogin(
            authorizationURL: "https://auth.example.com",
            redirectURI: "com.example.shop:/login",
            scope: "orders"
        )
        #expect(parameters(narrow)["scope"] == "orders")
    }

    @Test("exchanges the code with its verifier, and loads then carry the token", arguments: [nil, "top-secret"])
    func exchange(secret: String?) async throws {
        let server = ScriptedAuthorizer(.token)
        let storage = MemoryStorage(nil)
        let oauth = server.oauth(secret: secret, scope: "orders", storage: storage)
        let login = try begin(oauth)
        try await login.finish(with: callback(login))
        var form = try #require(server.forms.first)
        let sent = form.removeValue(forKey: "code_verifier")
        let verifier = try #require(sent)
        var fields = ["grant_type": "authorization_code", "code": "code-secret", "redirect_uri": redirect]
        fields["client_id"] = secret == nil ? "tool" : nil
        #expect(form == fields)
        var digest = SHA256Digest()
        digest.update(Data(verifier.utf8))
        let challenge = try #require(parameters(login)["code_challenge"])
        let padded = challenge.replacing("-", with: "+").replacing("_", with: "/") + "="
        #expect(
            Data(base64Encoded: padded)?.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == digest.finalize()
        )
        let basic = "Basic \(Data("tool:top-secret".utf8).base64EncodedString())"
        #expect(server.transport.requests[0].headers[.authorization] == secret.map { _ in basic })
        #expect(oauth.hasValidToken)
        #expect(storage.token?.refreshToken == "refresh-secret")
        let stub = StubTransport()
        _ = try await Swifty(transport: stub) { $0.use(oauth) }.api.get("x").load()
        #expect(stub.requests[0].headers[.authorization] == "Bearer access-secret")
    }

    @Test("refuses callbacks that are not its own, sends nothing for them, and is finished by the right one")
    func foreign() async throws {
        let server = ScriptedAuthorizer(.token)
        let login = try begin(server.oauth())
        let state = try #require(parameters(login)["state"])
        for rest in [
            "", "&state=", "&state=x", "&state=\(state)0", "&state=\(state)&state=\(state)", "&State=\(state)",
        ] {
            for response in ["code=c", "error=access_denied"] {
                #expect(await failure(login, "\(redirect)?\(response)\(rest)") == .wrongState)
            }
        }
        for other in [
            "http://127.0.0.1:8401/login", "http://localhost:8400/login", "https://127.0.0.1:8400/login",
            "\(redirect)/x", "http://127.0.0.1:8400", "com.example:/login", "", "/login", ":", "\u{0}", "?", "#",
        ] {
            #expect(await failure(login, "\(other)?code=c&state=\(state)") == .wrongRedirectURI)
        }
        #expect(server.forms.isEmpty)
        try await login.finish(with: "HTTP://127.0.0.1:8400/./login?state=\(state)&code=c%2Bd#_=_")
        #expect(server.forms.map { $0["code"] } == ["c+d"])
        #expect(await failure(login, callback(login)) == .alreadyFinished)
        #expect(server.forms.count == 1)
    }

    @Test("compares the redirect URI with its query, in any scheme")
    func redirectURIs() async throws {
        for (own, callback) in [
            ("com.example.shop:/login", "com.example.shop:/login?"), ("COM.example:/x", "com.Example:/x?"),
            ("http://127.0.0.1:8400", "http://127.0.0.1:8400/?"),
            ("https://a.example/b?c=1&d", "https://a.example/b?c=1&d&"),
            ("https://a.example/?state=own", "https://a.example/?state=own&"),
        ] {
            let server = ScriptedAuthorizer(.token)
            let login = try server.oauth()
                .beginLogin(authorizationURL: "https://auth.example.com", redirectURI: own)
            let state = try #require(parameters(login)["state"])
            if own.contains("?") {
                let bare = own.prefix { $0 != "?" }
                #expect(await failure(login, "\(bare)?code=c&state=\(state)") == .wrongRedirectURI)
            }
            try await login.finish(with: "\(callback)code=c&state=\(state)")
            #expect(server.forms[0]["redirect_uri"] == own)
        }
    }

    @Test("fails with the reason of a response without a code, and sends nothing")
    func withoutCode() async throws {
        for (rest, expected) in [
            ("error=access_denied&error_description=no%0Away", OAuth2.LoginError.denied(message: "no\nway")),
            ("error=access_denied", .denied(message: nil)),
            ("a=b", .malformedResponse(reason: "it has no code")),
            ("code=", .malformedResponse(reason: "it has no code")),
            ("code=a&code=a", .malformedResponse(reason: "it has several parameters code")),
            ("error=a&error=b", .malformedResponse(reason: "it has several parameters error")),
            ("code=a%00", .malformedResponse(reason: "its code is not made of printable ASCII characters")),
            ("code=%FF", .malformedResponse(reason: "its code is not made of printable ASCII characters")),
        ] {
            let server = ScriptedAuthorizer(.token)
            let login = try begin(server.oauth())
            #expect(await failure(login, callback(login, rest)) == expected)
            #expect(await failure(login, callback(login)) == .alreadyFinished)
            #expect(server.forms.isEmpty)
        }
        let login = try begin(ScriptedAuthorizer(.token).oauth())
        let error = await #expect(throws: SwiftyError.self) {
            try await login.finish(with: callback(login, "error=invalid_scope&error_description=which"))
        }
        #expect(error?.underlying as? OAuth2.TokenError == .refused(code: "invalid_scope", message: "which"))
    }

    @Test("with an issuer takes only responses of that issuer (RFC 9207)")
    func issuer() async throws {
        let issuer = "https://auth.example.com"
        for rest in ["", "&iss=https://auth.example.com/", "&iss=https://evil.example"] {
            for response in ["code=c", "error=access_denied"] {
                let server = ScriptedAuthorizer(.token)
                let login = try begin(server.oauth(), issuer: issuer)
                #expect(await failure(login, callback(login, response + rest)) == .wrongIssuer)
                #expect(server.forms.isEmpty)
            }
        }
        let login = try begin(ScriptedAuthorizer(.token).oauth(), issuer: issuer)
        try await login.finish(with: callback(login, "code=c&iss=https%3A%2F%2Fauth.example.com"))
        let unchecked = try begin(ScriptedAuthorizer(.token).oauth())
        try await unchecked.finish(with: callback(unchecked, "code=c&iss=any"))
    }

    @Test("fails with the error of the token endpoint, or of the network")
    func exchangeFailures() async throws {
        let cases: [(ScriptedAuthorizer.Step, OAuth2.TokenError)] = [
            (.error("invalid_grant"), .refused(code: "invalid_grant", message: "")),
            (
                .json("<html>", status: 200),
                .unexpectedResponse(statusCode: 200, reason: "which is not a token response")
            ),
            (.json("<html>", status: 502), .unexpectedResponse(statusCode: 502, reason: "without an OAuth error")),
            (.json("{}"), .unexpectedResponse(statusCode: 200, reason: "without an access token")),
        ]
        for (step, expected) in cases {
            let server = ScriptedAuthorizer(step)
            let oauth = server.oauth()
            let login = try begin(oauth)
            let error = await #expect(throws: SwiftyError.self) { try await login.finish(with: callback(login)) }
            #expect(error?.code == .loginFailed)
            #expect(error?.underlying as? OAuth2.TokenError == expected)
            #expect(!oauth.hasValidToken)
            #expect(await failure(login, callback(login)) == .alreadyFinished)
        }
        // The code was not sent, and can be sent again.
        let server = ScriptedAuthorizer(.failure(.connectionFailed), .token)
        let login = try begin(server.oauth())
        let error = await #expect(throws: SwiftyError.self) { try await login.finish(with: callback(login)) }
        #expect(error?.code == .connectionFailed)
        try await login.finish(with: callback(login))
    }

    @Test("is finished once, by many tasks at the same time")
    func concurrent() async throws {
        let server = ScriptedAuthorizer(.token)
        let login = try begin(server.oauth())
        let callback = callback(login)
        let results = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
            for _ in 0..<50 { group.addTask { (try? await login.finish(with: callback)) != nil } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
        #expect(server.forms.count == 1)
    }

    @Test("discards the tokens if the user logs out meanwhile, and is possible after a logout")
    func logOut() async throws {
        let gate = Gate()
        let server = ScriptedAuthorizer(.token) { _ in await gate.wait() }
        let storage = MemoryStorage(nil)
        let oauth = server.oauth(storage: storage)
        let login = try begin(oauth)
        let callback = callback(login)
        let task = Task { try await login.finish(with: callback) }
        try await until { server.forms.count == 1 }
        await oauth.logOut()
        gate.open()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.underlying as? OAuth2.TokenError == .loggedOut)
        #expect(!oauth.hasValidToken && storage.token == nil)
        let other = try begin(oauth)
        await oauth.logOut()
        try await other.finish(with: self.callback(other))
        #expect(oauth.hasValidToken)
    }

    @Test("cannot begin with a URL that cannot be used, or with client credentials")
    func refused() throws {
        let oauth = ScriptedAuthorizer(.token).oauth()
        for url in ["", "auth.example.com", "ftp://a", "https://a/#b", "https://user@a", "https://a b"] {
            #expect { try begin(oauth, at: url) } throws: { ($0 as? SwiftyError)?.code == .invalidBaseURL }
        }
        for uri in ["", "/login", "login", "http:/x", "http://", "https://a/#b", "a b:/c", "1a:/c", "a:/\n", "é:/c"] {
            #expect {
                try oauth.beginLogin(authorizationURL: "https://a", redirectURI: uri)
            } throws: {
                ($0 as? SwiftyError)?.code == .invalidURL
            }
        }
        let client = ScriptedAuthorizer(.token).oauth(secret: "top-secret", grant: .clientCredentials)
        let error = #expect(throws: SwiftyError.self) { try begin(client) }
        #expect(error?.underlying as? OAuth2.LoginError == .noUserGrant)
    }
}
