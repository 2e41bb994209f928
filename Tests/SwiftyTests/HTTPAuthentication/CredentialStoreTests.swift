// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("A credential of a store", .timeLimit(.minutes(15)))
struct CredentialStoreTests {
    private let secret = "c4n4ry"

    @Test("does not show its secrets in descriptions, mirrors or dumps")
    func redaction() throws {
        let store = CredentialStore()
        let credentials: [CredentialStore.Credential] = [
            .basic(user: "user-\(secret)", password: secret), .bearer(secret),
            .digest(user: "user-\(secret)", password: secret),
        ]
        var text = ""
        for credential in credentials {
            try store.set(credential, for: "https://a.test", realm: "\(credential.scheme)")
            dump(AuthenticationChallenge.Disposition.use(credential), to: &text)
            dump(credential, to: &text)
            text += "\(credential) \(String(reflecting: credential)) \(Mirror(reflecting: credential).children)"
            #expect("\(credential)".contains(credential.scheme))
        }
        dump(store, to: &text)
        dump(Authenticator(credentials: store, handlers: []), to: &text)
        dump(Swifty { $0.credentials = store }, to: &text)
        text += "\(store)"
        #expect(!text.contains(secret))
        #expect("\(store)".contains("https://a.test"))
    }

    @Test("is for one scheme, host and port, and for one realm or all")
    func lookup() throws {
        let store = CredentialStore()
        try store.set(.bearer("all"), for: "https://A.test/path")
        try store.set(.bearer("own"), for: "https://a.test:443", realm: "own")
        #expect(store.credential(for: "https://a.test", realm: "own") == .bearer("own"))
        #expect(store.credential(for: "https://a.test", realm: "other") == .bearer("all"))
        #expect(store.credential(for: "https://a.test", realm: nil) == .bearer("all"))
        for origin in ["http://a.test", "https://a.test:8443", "https://b.a.test", "https://test"] {
            #expect(store.credential(for: origin, realm: nil) == nil)
        }
        #expect(store.onlyEntry(for: "https://a.test") == nil)
        try store.remove(for: "https://a.test", realm: "own")
        #expect(store.onlyEntry(for: "https://a.test")?.credential == .bearer("all"))
        try store.set(.bearer("new"), for: "https://a.test")
        #expect(store.credential(for: "https://a.test", realm: "own") == .bearer("new"))
        store.removeAll()
        #expect(store.credential(for: "https://a.test", realm: nil) == nil)
        #expect(throws: TargetURI.ValidationError.self) { try store.set(.bearer("x"), for: "ftp://a.test") }
    }

    private func error(_ credential: CredentialStore.Credential, _ url: String) throws -> SwiftyError.Code? {
        let target = try TargetURI(url)
        do throws(SwiftyError) {
            try credential.check(target)
            return nil
        } catch {
            #expect(error.sent == .notSent)
            #expect(!error.description.contains(secret))
            return error.code
        }
    }

    @Test("is sent over cleartext only if allowed, on loopback too, except for Digest")
    func cleartext() throws {
        for url in ["http://a.test", "http://127.0.0.1:8080", "http://localhost", "http://[::1]"] {
            #expect(try error(.basic(user: "a", password: secret), url) == .insecureCredential)
            #expect(try error(.bearer(secret), url) == .insecureCredential)
            #expect(try error(.basic(user: "a", password: secret, allowsCleartext: true), url) == nil)
            #expect(try error(.bearer(secret, allowsCleartext: true), url) == nil)
            #expect(try error(.digest(user: "a", password: secret), url) == nil)
        }
        #expect(try error(.basic(user: "a", password: secret), "https://a.test") == nil)
    }

    @Test("is invalid if it cannot be sent")
    func invalid() throws {
        for credential: CredentialStore.Credential in [
            .basic(user: "a:b", password: secret), .basic(user: "a\n", password: secret),
            .basic(user: "a", password: "\(secret)\0"), .digest(user: "a\r\nX: y", password: secret), .bearer(""),
            .bearer("\(secret) x"), .bearer("\(secret)\r\nX: y"), .bearer("ü"),
        ] { #expect(try error(credential, "https://a.test") == .invalidCredential) }
        #expect(try error(.digest(user: "a:b", password: "ü:"), "https://a.test") == nil)
    }

    @Test("is sent in UTF-8")
    func encoding() throws {
        // RFC 7617 §2.1: the user "test", the password "123£".
        let field = try CredentialStore.Credential.basic(user: "test", password: "123£").fixedField(
            for: try TargetURI("https://a.test")
        )
        #expect(field == "Basic dGVzdDoxMjPCow==")
    }
}
