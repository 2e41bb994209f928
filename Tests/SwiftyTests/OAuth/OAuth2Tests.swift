// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("OAuth2", .timeLimit(.minutes(15)))
struct OAuth2Tests {
    private let api = "https://api.example.com"
    private let tokenURL = "https://auth.example.com/oauth/token"

    @Test("requests one token with the client's credentials, and adds it to every request to the API")
    func clientCredentials() async throws {
        let issuer = TokenIssuer()
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "in:ventory",
            clientSecret: "s+ c",
            scope: "read write",
            parameters: ["audience": "api"],
            for: api,
            through: issuer.swifty
        )
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(oauth)
        }
        for _ in 0..<3 { _ = try await swifty.api.get("x").load() }
        #expect(stub.requests.map { $0.headers[.authorization] } == Array(repeating: "Bearer access-1", count: 3))
        #expect(
            issuer.forms == [
                ["grant_type": "client_credentials", "scope": "read write", "audience": "api"]
            ]
        )
        let basic = Data("in%3Aventory:s%2B%20c".utf8).base64EncodedString()
        #expect(issuer.requests[0].headers[.authorization] == "Basic \(basic)")
        #expect(issuer.requests[0].headers[.accept] == "application/json")
        #expect(oauth.hasValidToken)
    }

    @Test("identifies the client in the content if configured, and always for a public client")
    func bodyAuthentication() async throws {
        for secret in ["secret", nil] {
            let issuer = TokenIssuer()
            let oauth = OAuth2(
                tokenURL: tokenURL,
                clientID: "id",
                clientSecret: secret,
                authentication: secret == nil ? .basic : .body,
                for: api,
                through: issuer.swifty
            )
            _ = try await swifty(oauth).api.get("x").load()
            #expect(issuer.forms[0]["client_id"] == "id")
            #expect(issuer.forms[0]["client_secret"] == secret)
            #expect(issuer.requests[0].headers[.authorization] == nil)
        }
    }

    @Test("can request the token through the Swifty that it constrains")
    func sameSwifty() async throws {
        let box = Box()
        let transport = TokenIssuer().transport
        let oauth = OAuth2(
            tokenURL: api + "/token",
            clientID: "id",
            clientSecret: "s",
            for: api,
            through: box.swifty ?? .shared
        )
        let swifty = swifty(oauth, transport)
        box.swifty = swifty
        _ = try await swifty.api.get("x").load()
        #expect(transport.requests.map(\.template) == ["", "x"])
        #expect(transport.requests.last?.headers[.authorization] == "Bearer access-1")
        box.swifty = nil
    }

    @Test("replaces a token in the background shortly before it expires, and rotates the refresh token")
    func expiry() async throws {
        let clock = TestTime()
        let issuer = TokenIssuer(lifetime: 100)
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            grant: .refreshToken("r-0"),
            for: api,
            leeway: .seconds(10),
            through: issuer.swifty,
            now: { clock.now }
        )
        let stub = StubTransport()
        let swifty = swifty(oauth, stub)
        for (step, old, new) in [(0, 1, 1), (89, 1, 1), (2, 1, 2), (88, 2, 2), (3, 2, 3)] {
            clock.advance(by: Double(step))
            let count = stub.requests.count
            _ = try await swifty.api.get("x").load()
            #expect(stub.requests.dropFirst(count).first?.headers[.authorization] == "Bearer access-\(old)")
            // Loads do not wait for the new token, so that it may arrive some loads later.
            while stub.requests.last?.headers[.authorization] != "Bearer access-\(new)" {
                _ = try await swifty.api.get("x").load()
            }
        }
        #expect(issuer.forms.map { $0["refresh_token"] } == ["r-0", "refresh-1", "refresh-2"])
    }

    @Test("adds no token to other origins, to requests without constraints, and to those with Authorization")
    func origins() async throws {
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            clientSecret: "s",
            for: api,
            alsoFor: ["https://files.example.com"],
            through: TokenIssuer().swifty
        )
        let stub = StubTransport()
        let swifty = swifty(oauth, stub)
        _ = try await swifty.api.get("own").load()
        _ = try await BaseResource("https://files.example.com", networkInterface: swifty).get("also").load()
        for other in ["http://api.example.com", "https://api.example.com:444", "https://evil.example.com"] {
            _ = try await BaseResource(other, networkInterface: swifty).get("other").load()
        }
        _ = try await swifty.api.get("free").constraints(.none).load()
        _ = try await swifty.api.get("basic").basic("u", "p").load()
        let sent = stub.requests.map { $0.headers[.authorization] }
        #expect(sent.prefix(2) == ["Bearer access-1", "Bearer access-1"])
        #expect(sent.dropFirst(2).dropLast() == [nil, nil, nil, nil])
        #expect(sent.last??.hasPrefix("Basic") == true)
    }

    @Test(
        "hides what the token request has sent, if the server repeats it in its error",
        arguments: [OAuth2.ClientAuthentication.basic, .body]
    )
    func echo(authentication: OAuth2.ClientAuthentication) async throws {
        let secrets = ["top+se/cret", "refresh-0/1", "assertion.2"]
        let stub = StubTransport { request in
            let form = String(decoding: request.content.data ?? Data(), as: UTF8.self)
            let texts = secrets + secrets.map { Data($0.utf8).base64EncodedString() }
            let message = "bad \(form) \(request.headers[.authorization] ?? "") of \(texts.joined(separator: ", "))"
            let content = ["error": "invalid \(secrets[0]) \(secrets[1])", "error_description": message]
            let body = try JSONEncoder().encode(content)
            return TransportResponse(head: ResponseHead(statusCode: 400), content: body)
        }
        let transcript = Transcript()
        let endpoint = Swifty(transport: stub) { $0.logger = Logger(label: "test") { _ in TranscriptLog(transcript) } }
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            clientSecret: secrets[0],
            grant: .refreshToken(secrets[1]),
            parameters: ["assertion": secrets[2]],
            authentication: authentication,
            for: api,
            through: endpoint
        )
        let error = await #expect(throws: SwiftyError.self) { try await swifty(oauth).api.get("x").load() }
        transcript.print(error as Any)
        transcript.print(error?.underlying as Any)
        let printed = transcript.all
        for secret in secrets { #expect(SecretSearch.spelling(of: secret, in: printed) == nil, "\(printed)") }
        #expect(printed.contains("invalid REDACTED REDACTED"))
    }

    @Test("without a token fails the waiting loads, with the server's reason and without secrets")
    func refusal() async throws {
        let cases: [(Int, String, OAuth2.TokenError)] = [
            (
                401, #"{"error":"invalid_client","error_description":"who?"}"#,
                .refused(code: "invalid_client", message: "who?")
            ),
            (503, "busy", .unexpectedResponse(statusCode: 503, reason: "without an OAuth error")),
            (200, "[]", .unexpectedResponse(statusCode: 200, reason: "which is not a token response")),
            (200, "{}", .unexpectedResponse(statusCode: 200, reason: "without an access token")),
            (
                200, #"{"access_token":"a","token_type":"mac"}"#,
                .unexpectedResponse(statusCode: 200, reason: "with a token that is not a bearer token")
            ),
        ]
        for (status, body, expected) in cases {
            let endpoint = Swifty(transport: StubTransport(status: status, content: body))
            let oauth = OAuth2(
                tokenURL: tokenURL,
                clientID: "id",
                clientSecret: "top-secret",
                for: api,
                through: endpoint
            )
            let stub = StubTransport()
            let error = await #expect(throws: SwiftyError.self) { try await swifty(oauth, stub).api.get("x").load() }
            #expect(error?.code == .constraintFailed)
            #expect(error?.underlying as? OAuth2.TokenError == expected)
            #expect(error?.description.contains("top-secret") == false)
            #expect(stub.requests.isEmpty)
        }
    }

    @Test("with an invalid URL fails the loads, with the reason")
    func invalidURLs() async throws {
        for (token, server) in [("ftp://x", api), (tokenURL, "api.example.com")] {
            let oauth = OAuth2(tokenURL: token, clientID: "id", for: server, through: TokenIssuer().swifty)
            let error = await #expect(throws: SwiftyError.self) { try await swifty(oauth).api.get("x").load() }
            #expect((error?.underlying as? SwiftyError)?.code == .invalidBaseURL)
        }
    }

    @Test("without its constraint sends no request that needs a token")
    func withoutConstraint() async throws {
        let oauth = OAuth2(tokenURL: tokenURL, clientID: "id", for: api)
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(oauth.interceptor) }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .interceptorFailed)
        #expect(stub.requests.isEmpty)
    }

    @Test("shows no secrets when it, its parts or its tokens are printed or dumped")
    func secrets() async throws {
        let issuer = TokenIssuer()
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            clientSecret: "top-secret",
            grant: .refreshToken("refresh-0"),
            for: api,
            through: issuer.swifty
        )
        let swifty = swifty(oauth)
        let response = try await swifty.api.get("x").load()
        let token = OAuth2.Token(accessToken: "access-1", refreshToken: "refresh-1", expiresAt: .now, scope: nil)
        let grant = OAuth2.Grant.refreshToken("refresh-0")
        var text = ""
        for value in [oauth, oauth.constraint, oauth.interceptor, token, grant, response.metrics] as [Any] {
            text += "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
        }
        dump(swifty, to: &text)
        for secret in ["access-1", "refresh-0", "refresh-1", "top-secret"] { #expect(!text.contains(secret)) }
        #expect(text.contains(tokenURL))
    }

    private func swifty(_ oauth: OAuth2, _ transport: any Transport = StubTransport()) -> Swifty {
        Swifty(transport: transport) {
            $0.use(oauth)
        }
    }
}
