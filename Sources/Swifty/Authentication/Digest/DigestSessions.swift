// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The nonces in use: counts across all loads, so that no two requests of a nonce have the same number.
final class DigestSessions: Sendable {
    /// How many nonces are remembered. A server that hands out so many at a time gets no count twice for the later ones.
    static let limit = 128

    /// The latest last.
    private let sessions = Mutex<[DigestSession]>([])

    /// How many nonces are remembered now.
    var count: Int { sessions.withLock { $0.count } }

    /// Answers a challenge.
    func answer(
        _ challenge: DigestChallenge,
        with credential: CredentialStore.Credential,
        to request: NetworkRequest
    ) -> DigestAnswer? {
        let origin = request.target.origin
        let numbered = sessions.withLock { sessions in
            let index = sessions.firstIndex { $0.includes(challenge, origin, credential) }
            let known = index.map { sessions.remove(at: $0) }
            let session = known ?? DigestSession(origin: origin, credential: credential, challenge: challenge)
            return Self.add(session, to: &sessions)
        }
        return numbered.flatMap { $0.answer(to: request, count: $1) }
    }

    /// Answers the latest challenge of the request's origin again, before it is asked; `nil` if there was none.
    func preemptiveAnswer(with credential: CredentialStore.Credential, to request: NetworkRequest) -> DigestAnswer? {
        let origin = request.target.origin
        let numbered: (DigestSession, UInt32)? = sessions.withLock { sessions in
            guard let index = sessions.lastIndex(where: { $0.origin == origin && $0.credential == credential }),
                let count = sessions[index].nextCount()
            else { return nil }
            return (sessions[index], count)
        }
        return numbered.flatMap { $0.answer(to: request, count: $1) }
    }

    /// Goes on with the nonce that the server wants to see after an answer.
    func renew(_ answer: DigestAnswer, with credential: CredentialStore.Credential, origin: String, nonce: String) {
        sessions.withLock { sessions in
            var next = answer.challenge
            next.nonce = nonce
            let isKnown = sessions.contains { $0.includes(next, origin, credential) }
            guard !isKnown, let old = sessions.last(where: { $0.includes(answer.challenge, origin, credential) })
            else { return }
            Self.append(old.renewed(nonce: nonce), to: &sessions)
        }
    }

    private static func add(_ session: DigestSession, to sessions: inout [DigestSession]) -> (DigestSession, UInt32)? {
        var session = session
        guard let count = session.nextCount() else { return nil }
        append(session, to: &sessions)
        return (session, count)
    }

    private static func append(_ session: DigestSession, to sessions: inout [DigestSession]) {
        if sessions.count >= limit { sessions.removeFirst() }
        sessions.append(session)
    }
}
