// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("OAuth2: a login with a device code", .timeLimit(.minutes(15)))
struct OAuth2DeviceTests {
    private let clock = NotingClock()

    private func logIn(_ oauth: OAuth2) async throws {
        try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { _ in }
    }

    /// The underlying error of a login that fails.
    private func failure(_ server: ScriptedAuthorizer) async -> (any Error)? {
        let error = await #expect(throws: SwiftyError.self) { try await logIn(server.oauth(clock: clock)) }
        #expect(error?.code == .loginFailed, "\(String(describing: error))")
        return error?.underlying
    }

    @Test("shows the code, polls at the interval that the server wants, and loads then carry the token")
    func polls() async throws {
        let server = ScriptedAuthorizer(
            .device(#","expires_in":"600","interval":2,"verification_uri_complete":"https://auth.example.com/d?c=W""#),
            .error("authorization_pending"),
            .error("slow_down"),
            .error("authorization_pending"),
            .error("slow_down"),
            .token
        )
        let storage = MemoryStorage(nil)
        let oauth = server.oauth(scope: "orders", storage: storage, clock: clock)
        var prompts: [OAuth2.DevicePrompt] = []
        let start = Date()
        try await oauth.logInWithDevice(
            authorizationURL: "https://auth.example.com/device",
            parameters: ["audience": "api"]
        ) { prompt in
            prompts.append(prompt)
            #expect(server.forms.count == 1)
        }
        let prompt = try #require(prompts.first)
        #expect(prompts.count == 1)
        #expect(prompt.userCode == "WDJB-MJHT")
        #expect(prompt.verificationURI == "https://auth.example.com/device")
        #expect(prompt.verificationURIComplete == "https://auth.example.com/d?c=W")
        #expect((590..<700).contains(prompt.expiresAt.timeIntervalSince(start)))
        #expect(clock.waits == [2, 2, 7, 7, 12])
        #expect(server.forms[0] == ["client_id": "tool", "scope": "orders", "audience": "api"])
        let poll = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "device-secret",
            "client_id": "tool",
        ]
        #expect(server.forms.dropFirst() == Array(repeating: poll, count: 5)[...])
        #expect(server.transport.requests.map(\.target.path) == ["/device"] + Array(repeating: "/token", count: 5))
        #expect(storage.token?.refreshToken == "refresh-secret")
        let stub = StubTransport()
        _ = try await Swifty(transport: stub) { $0.use(oauth) }.api.get("x").load()
        #expect(stub.requests[0].headers[.authorization] == "Bearer access-secret")
    }

    @Test("identifies the client at both endpoints")
    func authentication() async throws {
        let server = ScriptedAuthorizer(.device(), .token)
        try await logIn(server.oauth(secret: "top-secret", clock: clock))
        let basic = "Basic \(Data("tool:top-secret".utf8).base64EncodedString())"
        #expect(server.transport.requests.map { $0.headers[.authorization] } == [basic, basic])
        #expect(server.forms[0] == [:])
        #expect(clock.waits == [5])
    }

    @Test("waits longer while the network or the server fails, and continues")
    func failures() async throws {
        let server = ScriptedAuthorizer(
            .device(#","expires_in":1800,"interval":5"#),
            .failure(.connectionFailed),
            .failure(.timedOut),
            .json("busy", status: 503),
            .json(#"{"error":"temporarily_unavailable"}"#, status: 503),
            .failure(.circuitOpen),
            .error("authorization_pending"),
            .json("<html>", status: 429),
            .token
        )
        try await logIn(server.oauth(clock: clock))
        #expect(clock.waits == [5, 10, 20, 40, 60, 60, 5, 10])
    }

    @Test("ends when the user refuses, the code expires, or the server or the network fails for good")
    func ends() async throws {
        let denied = await failure(ScriptedAuthorizer(.device(), .error("access_denied", message: "no")))
        #expect(denied as? OAuth2.LoginError == .denied(message: "no"))
        let expired = await failure(ScriptedAuthorizer(.device(), .error("expired_token")))
        #expect(expired as? OAuth2.LoginError == .expired)
        let refused = await failure(ScriptedAuthorizer(.device(), .error("invalid_grant", message: "used")))
        #expect(refused as? OAuth2.TokenError == .refused(code: "invalid_grant", message: "used"))
        let page = await failure(ScriptedAuthorizer(.device(), .json("<html>")))
        #expect(
            page as? OAuth2.TokenError
                == .unexpectedResponse(statusCode: 200, reason: "which is not a token response")
        )
        for code in [SwiftyError.Code.certificateInvalid, .malformedResponse] {
            let server = ScriptedAuthorizer(.device(), .failure(code))
            let error = await #expect(throws: SwiftyError.self) { try await logIn(server.oauth(clock: clock)) }
            #expect(error?.code == code)
            #expect(server.forms.count == 2)
        }
    }

    @Test("ends with the lifetime of the code, however the server responds")
    func lifetime() async throws {
        for (step, interval) in [
            (ScriptedAuthorizer.Step.error("authorization_pending"), 5), (.error("slow_down"), 1),
            (.failure(.connectionFailed), 5), (.json("", status: 500), 7),
        ] {
            let clock = NotingClock()
            let server = ScriptedAuthorizer(.device(#","expires_in":100,"interval":\#(interval)"#), step)
            let error = await #expect(throws: SwiftyError.self) { try await logIn(server.oauth(clock: clock)) }
            #expect(error?.underlying as? OAuth2.LoginError == .expired)
            let total = clock.waits.reduce(0, +)
            #expect((75..<100).contains(total), "\(step): \(clock.waits)")
            #expect(server.forms.count == clock.waits.count + 1)
        }
    }

    @Test("refuses a response that no user could follow, and shows nothing")
    func unusable() async throws {
        let complete = #""device_code":"d","user_code":"u","verification_uri":"https://a.example""#
        let rests: [(String, String)] = [
            (#"{}"#, "without a device code"),
            (#"{"device_code":""}"#, "without a device code"),
            (#"{"device_code":1}"#, "without a device code"),
            (#"{"device_code":"d"}"#, "without a user code that can be shown"),
            (#"{"device_code":"d","user_code":" "}"#, "without a user code that can be shown"),
            (#"{"device_code":"d","user_code":"A\u001b[2J"}"#, "without a user code that can be shown"),
            (#"{"device_code":"d","user_code":"A\nB"}"#, "without a user code that can be shown"),
            (#"{"device_code":"d","user_code":"A\u202eB"}"#, "without a user code that can be shown"),
            (
                #"{"device_code":"d","user_code":"\#(String(repeating: "A", count: 101))"}"#,
                "without a user code that can be shown"
            ),
        ]
        let uri = "without an http or https URL where the user enters the code"
        let uris = ["", "javascript:alert(1)", "https://a b", "https://a/\\u0007", "/device", "https://user@a"].map {
            (#"{"device_code":"d","user_code":"u","verification_uri":"\#($0)"}"#, uri)
        }
        let lifetime = "with a lifetime that is not between a second and a day"
        let lifetimes = ["-1", "0", "1e9", "1e400", "86401", #""nan""#, #""inf""#, "null", "[]"].map {
            (#"{\#(complete),"expires_in":\#($0)}"#, lifetime)
        }
        let interval = "with an interval that is not shorter than the lifetime"
        let intervals = ["60", "1e300", "9223372036854775807", #""60""#].map {
            (#"{\#(complete),"expires_in":60,"interval":\#($0)}"#, interval)
        }
        let page = ("<html></html>", "which is not a device authorization response")
        for (body, reason) in rests + uris + lifetimes + intervals + [page] {
            let server = ScriptedAuthorizer(.json(body))
            let error = await #expect(throws: SwiftyError.self, "\(body)") {
                try await server.oauth(clock: clock).logInWithDevice(authorizationURL: "https://auth.example.com/d") {
                    Issue.record("\($0)")
                }
            }
            #expect(
                error?.underlying as? OAuth2.TokenError == .unexpectedResponse(statusCode: 200, reason: reason),
                "\(body)"
            )
            #expect(server.forms.count == 1)
        }
        #expect(clock.waits == [])
    }

    @Test("uses the default for an interval that makes no sense, and leaves out a URL that cannot be opened")
    func lenient() async throws {
        for (interval, wait) in [("-1", 5.0), ("0", 1), ("0.01", 1), (#""x""#, 5), ("null", 5), ("2.5", 2.5)] {
            let clock = NotingClock()
            let rest = #","expires_in":60,"interval":\#(interval),"verification_uri_complete":"javascript:1""#
            let oauth = ScriptedAuthorizer(.device(rest), .token).oauth(clock: clock)
            try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { prompt in
                #expect(prompt.verificationURIComplete == nil)
            }
            #expect(clock.waits == [wait], "\(interval)")
        }
        let google = #"{"device_code":"d","user_code":"u","verification_url":"https://g.example/#/d","expires_in":60}"#
        let oauth = ScriptedAuthorizer(.json(google), .token).oauth(clock: clock)
        try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { prompt in
            #expect(prompt.verificationURI == "https://g.example/#/d")
        }
    }

    @Test("ends with the error of the device authorization endpoint, or of the prompt")
    func beginning() async throws {
        let refused = await failure(ScriptedAuthorizer(.error("invalid_client")))
        #expect(refused as? OAuth2.TokenError == .refused(code: "invalid_client", message: ""))
        let down = ScriptedAuthorizer(.failure(.connectionFailed)).oauth()
        let error = await #expect(throws: SwiftyError.self) { try await logIn(down) }
        #expect(error?.code == .connectionFailed)
        let invalid = await #expect(throws: SwiftyError.self) {
            try await down.logInWithDevice(authorizationURL: "ftp://x") { _ in }
        }
        #expect(invalid?.code == .invalidBaseURL)
        struct NoScreen: Error {}
        let server = ScriptedAuthorizer(.device(), .token)
        let unshown = await #expect(throws: SwiftyError.self) {
            try await server.oauth().logInWithDevice(authorizationURL: "https://auth.example.com/device") { _ in
                throw NoScreen()
            }
        }
        #expect(unshown?.code == .loginFailed)
        #expect(unshown?.underlying is NoScreen)
        #expect(server.forms.count == 1)
        let client = ScriptedAuthorizer(.device(), .token).oauth(secret: "top-secret", grant: .clientCredentials)
        let wrong = await #expect(throws: SwiftyError.self) { try await logIn(client) }
        #expect(wrong?.underlying as? OAuth2.LoginError == .noUserGrant)
    }

    @Test("ends at once when its task is cancelled, while it waits or asks")
    func cancellation() async throws {
        let clock = TestClock()
        let server = ScriptedAuthorizer(.device(), .error("authorization_pending"))
        let waiting = Task { try await logIn(server.oauth(clock: clock)) }
        await clock.waitForSleepers(1)
        waiting.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(server.forms.count == 1)

        let gate = Gate()
        let slow = ScriptedAuthorizer(.device(), .token) { number in if number == 2 { await gate.wait() } }
        let oauth = slow.oauth()
        let asking = Task { try await logIn(oauth) }
        try await until { slow.forms.count == 2 }
        asking.cancel()
        let other = await #expect(throws: SwiftyError.self) { try await asking.value }
        #expect(other?.code == .cancelled)
        gate.open()
        #expect(!oauth.hasValidToken)
    }

    @Test("waits no longer than until the deadline of its caller, and sends nothing after it")
    func deadline() async throws {
        let server = ScriptedAuthorizer(.device(), .error("authorization_pending"))
        let error = await #expect(throws: SwiftyError.self) {
            try await withDeadline(.seconds(12), clock: clock) { try await logIn(server.oauth(clock: clock)) }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .deadline)
        #expect(error?.reason == "the login has not ended within 12.0 seconds, the limit that withDeadline sets")
        #expect(clock.waits == [5, 5, 2])
        #expect(server.forms.count == 3)

        let late = ScriptedAuthorizer(.device(), .failure(.timedOut, timeLimit: .deadline))
        let other = await #expect(throws: SwiftyError.self) { try await logIn(late.oauth(clock: clock)) }
        #expect(other?.timeLimit == .deadline)
        #expect(late.forms.count == 2)
    }

    @Test("ends when the user logs out, and discards tokens that arrive later")
    func logOut() async throws {
        let box = Mutex<OAuth2?>(nil)
        let clock = NotingClock { number in if number == 2 { await box.withLock { $0 }?.logOut() } }
        let server = ScriptedAuthorizer(.device(), .error("authorization_pending"))
        let oauth = server.oauth(clock: clock)
        box.withLock { $0 = oauth }
        let error = await #expect(throws: SwiftyError.self) { try await logIn(oauth) }
        #expect(error?.underlying as? OAuth2.TokenError == .loggedOut)
        #expect(server.forms.count == 2)

        let gate = Gate()
        let slow = ScriptedAuthorizer(.device(), .token) { number in if number == 2 { await gate.wait() } }
        let storage = MemoryStorage(nil)
        let late = slow.oauth(storage: storage)
        let task = Task { try await logIn(late) }
        try await until { slow.forms.count == 2 }
        await late.logOut()
        gate.open()
        let other = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(other?.underlying as? OAuth2.TokenError == .loggedOut)
        #expect(!late.hasValidToken && storage.token == nil)
    }
}
