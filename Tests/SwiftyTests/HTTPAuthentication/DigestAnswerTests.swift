// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

/// The first two values are from RFC 7616 §3.9.1; the others were computed with another implementation of the hashes.
@Suite("A Digest answer", .timeLimit(.minutes(15)))
struct DigestAnswerTests {
    private func challenge(
        _ rest: String,
        realm: String = "http-auth@example.org",
        nonce: String = Self.nonce
    ) throws
        -> DigestChallenge
    {
        let text = #"Digest realm="\#(realm)", nonce="\#(nonce)", opaque="\#(Self.opaque)", \#(rest)"#
        return try #require(Challenge.parse([text]).first.flatMap(DigestChallenge.init))
    }

    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private func answer(_ challenge: DigestChallenge, count: UInt32 = 1, content: String? = nil) -> DigestAnswer {
        let isSession = challenge.algorithm.isSession
        return DigestAnswer(
            challenge: challenge,
            user: "Mufasa",
            secret: DigestAnswer.secret(
                challenge,
                user: "Mufasa",
                password: "Circle of Life",
                session: isSession ? (Self.nonce, Self.clientNonce) : nil
            ),
            clientNonce: Self.clientNonce,
            count: count,
            method: "GET",
            uri: "/dir/index.html",
            contentHash: content.map { challenge.algorithm.hash($0) }
        )
    }

    @Test(
        "proves the password",
        arguments: [
            (#"qop="auth, auth-int", algorithm=MD5"#, "8ca523f5e9506fed4657c9700eebdbec"),
            (
                #"qop="auth, auth-int", algorithm=SHA-256"#,
                "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            (#"algorithm=MD5"#, "7b2cc3b30e75b4777ea31027084363fd"),
            ("algorithm=SHA-256", "a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363"),
        ]
    )
    func vectors(rest: String, response: String) throws {
        #expect(answer(try challenge(rest)).response == response)
    }

    @Test(
        "covers the content, and derives a session's secret",
        arguments: [
            ("MD5-sess", "4360528f866f820107588c3510f9af2b"),
            ("SHA-256-sess", "35cdcdec86ce414d5e2d9246581faa796868b9bfa5b98ccbce2190eedeb6167c"),
        ]
    )
    func session(algorithm: String, response: String) throws {
        let challenge = try challenge(#"qop="auth-int", algorithm=\#(algorithm)"#)
        #expect(answer(challenge, count: 2, content: "x").response == response)
    }

    @Test("is written in the format of RFC 7616 §3.4")
    func field() throws {
        let field = answer(try challenge(#"qop="auth, auth-int", algorithm=SHA-256"#)).field
        #expect(
            field == #"Digest username="Mufasa", realm="http-auth@example.org", nonce="\#(Self.nonce)", "#
                + #"uri="/dir/index.html", "#
                + #"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", "#
                + #"algorithm=SHA-256, opaque="\#(Self.opaque)", qop=auth, nc=00000001, cnonce="\#(Self.clientNonce)""#
        )
        let old = answer(try challenge("x=y")).field
        #expect(!old.contains("qop"))
        #expect(!old.contains("nc="))
        #expect(!old.contains("cnonce"))
        #expect(!old.contains("algorithm"))
    }

    private func request(_ url: String = "https://a.test/x?y=1", content: String? = nil) throws -> NetworkRequest {
        NetworkRequest(target: try TargetURI(url), content: content.map { .data(Data($0.utf8)) } ?? .none)
    }

    @Test("encodes user names, and hashes them if the server asks for it")
    func users() throws {
        func field(_ user: String, _ rest: String) throws -> String {
            let challenge = try challenge(rest, realm: "api@example.org")
            let session = DigestSession(
                origin: "",
                credential: .digest(user: user, password: "Secret, or not?"),
                challenge: challenge
            )
            return try #require(session.answer(to: try request(), count: 1)).field
        }
        let user = "Jäsøn Doe"
        // RFC 7616 §3.9.2 with its erratum: the value in the RFC is that of another digest.
        let hash = "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
        let hashed = try field(user, "qop=auth, algorithm=SHA-512-256, charset=UTF-8, userhash=true")
        #expect(hashed.hasPrefix(#"Digest username="\#(hash)", userhash=true, "#))
        #expect(try field(user, "qop=auth").hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "))
        #expect(try field(#"a"\b"#, "qop=auth").hasPrefix(#"Digest username="a\"\\b", "#))
        #expect(try field("a", "qop=auth").contains(#"uri="/x?y=1""#))
    }

    @Test("never repeats a count or a client nonce among 64 simultaneous requests")
    func counts() async throws {
        let sessions = DigestSessions()
        let credential = CredentialStore.Credential.digest(user: "a", password: "b")
        let (challenge, request) = (try challenge("qop=auth"), try request())
        let answers = await withTaskGroup(of: DigestAnswer?.self) { group in
            for index in 0..<64 {
                group.addTask {
                    index.isMultiple(of: 2)
                        ? sessions.answer(challenge, with: credential, to: request)
                        : sessions.answerPreemptively(with: credential, to: request)
                            ?? sessions.answer(challenge, with: credential, to: request)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.compactMap { $0?.count }.sorted() == Array(1...64))
        #expect(Set(answers.compactMap { $0?.clientNonce }).count == 64)
    }

    @Test("belongs to one origin and one credential, also when it goes out unasked")
    func bound() throws {
        let sessions = DigestSessions()
        let credential = CredentialStore.Credential.digest(user: "a", password: "b")
        let (challenge, request) = (try challenge("qop=auth"), try request())
        #expect(sessions.answerPreemptively(with: credential, to: request) == nil)
        #expect(sessions.answer(challenge, with: credential, to: request)?.count == 1)
        #expect(sessions.answerPreemptively(with: credential, to: request)?.count == 2)
        for url in ["http://a.test/x", "https://a.test:8443/x", "https://b.test/x"] {
            #expect(sessions.answerPreemptively(with: credential, to: try self.request(url)) == nil)
        }
        #expect(sessions.answerPreemptively(with: .digest(user: "a", password: "c"), to: request) == nil)
        #expect(sessions.answer(challenge, with: credential, to: try self.request("https://b.test/"))?.count == 1)
    }

    @Test("continues with the server's next nonce, and keeps the secret of its session")
    func nextNonce() throws {
        for (algorithm, keepsSecret) in [("SHA-256", true), ("SHA-256-sess", true)] {
            let sessions = DigestSessions()
            let credential = CredentialStore.Credential.digest(user: "a", password: "b")
            let request = try request()
            let challenge = try challenge("qop=auth, algorithm=\(algorithm)")
            let first = try #require(sessions.answer(challenge, with: credential, to: request))
            sessions.renew(first, with: credential, origin: request.target.origin, nonce: "next")
            sessions.renew(first, with: credential, origin: request.target.origin, nonce: "next")
            let second = try #require(sessions.answerPreemptively(with: credential, to: request))
            #expect(second.challenge.nonce == "next")
            #expect(second.count == 1)
            #expect((second.secret == first.secret) == keepsSecret)
            #expect((second.clientNonce == first.clientNonce) == challenge.algorithm.isSession)
        }
    }

    @Test("is not made when the count of a nonce is exhausted")
    func exhaustion() throws {
        var session = DigestSession(
            origin: "",
            credential: .digest(user: "a", password: "b"),
            challenge: try challenge("qop=auth"),
            count: .max - 1
        )
        #expect(session.nextCount() == .max)
        #expect(session.nextCount() == nil)
    }

    @Test("remembers a bounded number of nonces")
    func bounded() throws {
        let sessions = DigestSessions()
        for index in 0..<1000 {
            let challenge = try challenge("qop=auth", nonce: "\(index)")
            #expect(sessions.answer(challenge, with: .digest(user: "a", password: "b"), to: try request())?.count == 1)
        }
        #expect(sessions.count == DigestSessions.limit)
    }
}
