// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The policy for challenges", .timeLimit(.minutes(15)))
struct ChallengePolicyTests {
    private typealias CredentialUse = ChallengePolicy.CredentialUse

    private func use(_ name: String = "a", realm: String? = "r", origin: String = "o") -> CredentialUse {
        CredentialUse(origin: origin, realm: realm, credential: .digest(user: name, password: ""))
    }

    @Test("does not use a refused credential again")
    func refusal() {
        var policy = ChallengePolicy()
        #expect(policy.recordRefusal(of: nil, reusesNonce: false, isStale: false) == .findCredential)
        #expect(policy.allows(use()))
        #expect(policy.failures(of: "o") == 0)
        #expect(policy.recordRefusal(of: use(), reusesNonce: false, isStale: false) == .findCredential)
        #expect(!policy.allows(use()))
        #expect(policy.failures(of: "o") == 1)
        #expect(policy.failures(of: "p") == 0)
        #expect(policy.allows(use("b")))
        #expect(policy.allows(use(realm: "s")))
        #expect(policy.allows(use(origin: "p")))
    }

    @Test("uses a new nonce once")
    func renewal() {
        var policy = ChallengePolicy()
        #expect(policy.recordRefusal(of: use(), reusesNonce: false, isStale: true) == .useNewNonce)
        #expect(policy.recordRefusal(of: use(), reusesNonce: false, isStale: true) == .deliver)
        policy = ChallengePolicy()
        #expect(policy.recordRefusal(of: use(), reusesNonce: true, isStale: false) == .useNewNonce)
        #expect(policy.recordRefusal(of: use(), reusesNonce: false, isStale: false) == .findCredential)
        #expect(!policy.allows(use()))
    }

    @Test("does not use a refused preemptive credential again in any realm")
    func preemptive() {
        var policy = ChallengePolicy()
        #expect(policy.recordRefusal(of: use(realm: nil), reusesNonce: false, isStale: false) == .findCredential)
        #expect(!policy.allows(use(realm: "r")))
    }

    @Test("ends after five answers")
    func limit() {
        var policy = ChallengePolicy()
        for round in 0..<5 {
            #expect(policy.recordRefusal(of: use("\(round)"), reusesNonce: false, isStale: false) == .findCredential)
            policy.countAnswer()
        }
        #expect(policy.recordRefusal(of: use("6"), reusesNonce: false, isStale: false) == .deliver)
    }
}
