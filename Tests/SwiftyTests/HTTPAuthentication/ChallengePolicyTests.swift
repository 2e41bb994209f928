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
        #expect(policy.recordRefusal(by: "o", of: nil, sharesNonce: false, isStale: false) == .findCredential)
        #expect(policy.allows(use()))
        #expect(policy.failures(of: "o") == 0)
        #expect(policy.recordRefusal(by: "o", of: use(), sharesNonce: false, isStale: false) == .findCredential)
        #expect(!policy.allows(use()))
        #expect(policy.failures(of: "o") == 1)
        #expect(policy.failures(of: "p") == 0)
        #expect(policy.allows(use("b")))
        #expect(policy.allows(use(realm: "s")))
        #expect(policy.allows(use(origin: "p")))
    }

    @Test("uses a new nonce once, and then one that no other request uses")
    func renewal() {
        var policy = ChallengePolicy()
        for step in [ChallengePolicy.Step.useNewNonce(isShared: true), .useNewNonce(isShared: false), .deliver] {
            #expect(policy.recordRefusal(by: "o", of: use(), sharesNonce: true, isStale: true) == step)
        }
        // Another origin has its own nonces.
        let other = use(origin: "p")
        let step = policy.recordRefusal(by: "p", of: other, sharesNonce: false, isStale: true)
        #expect(step == .useNewNonce(isShared: true))
    }

    @Test("tries a credential again whose nonce other requests have used, also if the server does not call it stale")
    func sharedNonce() {
        var policy = ChallengePolicy()
        var step = policy.recordRefusal(by: "o", of: use(), sharesNonce: true, isStale: false)
        #expect(step == .useNewNonce(isShared: false))
        step = policy.recordRefusal(by: "o", of: use(), sharesNonce: true, isStale: false)
        #expect(step == .findCredential)
        #expect(!policy.allows(use()))
    }

    @Test("does not use a refused preemptive credential again in any realm")
    func preemptive() {
        var policy = ChallengePolicy()
        let step = policy.recordRefusal(by: "o", of: use(realm: nil), sharesNonce: false, isStale: false)
        #expect(step == .findCredential)
        #expect(!policy.allows(use(realm: "r")))
    }

    @Test("ends after five answers to an origin")
    func limit() {
        var policy = ChallengePolicy()
        for round in 0..<5 {
            let step = policy.recordRefusal(by: "o", of: use("\(round)"), sharesNonce: false, isStale: false)
            #expect(step == .findCredential)
            policy.countAnswer(to: "o")
        }
        #expect(policy.recordRefusal(by: "o", of: use("6"), sharesNonce: false, isStale: false) == .deliver)
        #expect(policy.recordRefusal(by: "p", of: nil, sharesNonce: false, isStale: false) == .findCredential)
    }
}
