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

/// The use of one nonce: counts the requests that it has been used for.
struct DigestSession: Sendable {
    let origin: String
    let credential: CredentialStore.Credential
    let challenge: DigestChallenge
    /// The nonces that the secret of a `-sess` algorithm is made of: those of the first answer, until the next challenge
    /// (RFC 7616 §3.4.2).
    private let start: (nonce: String, clientNonce: String)
    private var count: UInt32

    init(origin: String, credential: CredentialStore.Credential, challenge: DigestChallenge, count: UInt32 = 0) {
        self.origin = origin
        self.credential = credential
        self.challenge = challenge
        self.count = count
        start = (challenge.nonce, ClientNonce.make())
    }

    private init(_ session: DigestSession, nonce: String) {
        (origin, credential, start) = (session.origin, session.credential, session.start)
        count = 0
        var challenge = session.challenge
        challenge.nonce = nonce
        self.challenge = challenge
    }

    /// The session with the nonce that the server wants to see next.
    func renewed(nonce: String) -> DigestSession { DigestSession(self, nonce: nonce) }

    /// Whether an answer to the challenge belongs to this session, whose count then goes on.
    func includes(_ challenge: DigestChallenge, _ origin: String, _ credential: CredentialStore.Credential) -> Bool {
        self.origin == origin && self.credential == credential && self.challenge.nonce == challenge.nonce
            && self.challenge.realm == challenge.realm
    }

    /// The number of the next request; `nil` if there can be no more with this nonce.
    mutating func nextCount() -> UInt32? {
        let (next, isTooMany) = count.addingReportingOverflow(1)
        if isTooMany { return nil }
        count = next
        return next
    }

    /// The answer for a request; `nil` if the credential is not for Digest.
    ///
    /// Servers differ in which client nonce the secret of a `-sess` algorithm is made of, the first or the present one: a
    /// session has only one, so both are right. Otherwise each answer has one of its own.
    func answer(to request: NetworkRequest, count: UInt32) -> DigestAnswer? {
        guard case .digest(let user, let password) = credential.kind else { return nil }
        let isSession = challenge.algorithm.isSession
        let secret = DigestAnswer.secret(challenge, user: user, password: password, session: isSession ? start : nil)
        let coversContent = challenge.protection == .content
        return DigestAnswer(
            challenge: challenge,
            user: user,
            secret: secret,
            clientNonce: isSession ? start.clientNonce : ClientNonce.make(),
            count: count,
            method: request.method.rawValue,
            uri: request.target.requestTarget,
            contentHash: coversContent ? challenge.algorithm.hash(request.body.map { Array($0.bytes) } ?? []) : nil
        )
    }
}

/// The client's nonces: 128 random bits, so that none comes twice.
enum ClientNonce {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}

extension TargetURI {
    /// The target in origin-form (RFC 9112 §3.2.1): what the request line has.
    var requestTarget: String {
        let path = self.path.isEmpty ? "/" : self.path
        return query.map { "\(path)?\($0)" } ?? path
    }
}
