// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The rounds of authentication", .timeLimit(.minutes(15)))
struct AuthenticationRoundsTests {
    private func use(_ name: String = "a", realm: String? = "r", origin: String = "o") -> AuthenticationRounds.Use {
        .init(origin: origin, realm: realm, credential: .digest(user: name, password: ""))
    }

    @Test("do not use a refused credential again")
    func refusal() {
        var rounds = AuthenticationRounds()
        #expect(rounds.refuse(nil, hadOldNonce: false, isStale: false) == .ask)
        #expect(rounds.mayAnswer(with: use()) && rounds.failures(of: "o") == 0)
        #expect(rounds.refuse(use(), hadOldNonce: false, isStale: false) == .ask)
        #expect(!rounds.mayAnswer(with: use()) && rounds.failures(of: "o") == 1 && rounds.failures(of: "p") == 0)
        #expect(rounds.mayAnswer(with: use("b")) && rounds.mayAnswer(with: use(realm: "s")))
        #expect(rounds.mayAnswer(with: use(origin: "p")))
    }

    @Test("renew a nonce once")
    func renewal() {
        var rounds = AuthenticationRounds()
        #expect(rounds.refuse(use(), hadOldNonce: false, isStale: true) == .renew)
        #expect(rounds.refuse(use(), hadOldNonce: false, isStale: true) == .stop)
        rounds = AuthenticationRounds()
        #expect(rounds.refuse(use(), hadOldNonce: true, isStale: false) == .renew)
        #expect(rounds.refuse(use(), hadOldNonce: false, isStale: false) == .ask)
        #expect(!rounds.mayAnswer(with: use()))
    }

    @Test("do not use a refused preemptive credential again in any realm")
    func preemptive() {
        var rounds = AuthenticationRounds()
        #expect(rounds.refuse(use(realm: nil), hadOldNonce: false, isStale: false) == .ask)
        #expect(!rounds.mayAnswer(with: use(realm: "r")))
    }

    @Test("end after five answers")
    func limit() {
        var rounds = AuthenticationRounds()
        for round in 0..<5 {
            #expect(rounds.refuse(use("\(round)"), hadOldNonce: false, isStale: false) == .ask)
            rounds.countAnswer()
        }
        #expect(rounds.refuse(use("6"), hadOldNonce: false, isStale: false) == .stop)
    }
}
