// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// The Digest sessions of all loads: counts the uses of each nonce, so that no two requests share a number.
final class DigestSessions: Sendable {
    /// The highest number of nonces that are remembered; beyond it, the oldest is dropped.
    static let limit = 128

    /// The sessions, the latest last.
    private let sessions = Mutex<[DigestSession]>([])

    /// The number of nonces that are remembered.
    var count: Int { sessions.withLock { $0.count } }

    func answer(
        _ challenge: DigestChallenge,
        with credential: CredentialStore.Credential,
        to request: NetworkRequest,
        isShared: Bool = true
    ) -> DigestAnswer? {
        let origin = request.target.origin
        let numbered: (DigestSession, UInt32)? = sessions.withLock { sessions in
            let index = sessions.firstIndex { $0.includes(challenge, origin: origin, credential: credential) }
            let known = index.map { sessions.remove(at: $0) }
            var session = known ?? DigestSession(origin: origin, credential: credential, challenge: challenge)
            session.isShared = isShared
            guard let count = session.nextCount() else { return nil }
            Self.append(session, to: &sessions)
            return (session, count)
        }
        return numbered.flatMap { $0.answer(to: request, count: $1) }
    }

    /// Answers the latest challenge of the request's origin again, preemptively; `nil` if there was none.
    func answerPreemptively(with credential: CredentialStore.Credential, to request: NetworkRequest) -> DigestAnswer? {
        let origin = request.target.origin
        let numbered: (DigestSession, UInt32)? = sessions.withLock { sessions in
            let index = sessions.lastIndex { $0.isShared && $0.origin == origin && $0.credential == credential }
            guard let index, let count = sessions[index].nextCount()
            else { return nil }
            return (sessions[index], count)
        }
        return numbered.flatMap { $0.answer(to: request, count: $1) }
    }

    /// Continues the session of an answer with the server's next nonce.
    func renew(_ answer: DigestAnswer, with credential: CredentialStore.Credential, origin: String, nonce: String) {
        sessions.withLock { sessions in
            var next = answer.challenge
            next.nonce = nonce
            let isKnown = sessions.contains { $0.includes(next, origin: origin, credential: credential) }
            guard !isKnown,
                let old = sessions.last(where: { $0.includes(answer.challenge, origin: origin, credential: credential) }
                )
            else { return }
            Self.append(old.renewed(nonce: nonce), to: &sessions)
        }
    }

    /// Whether other requests have used the nonce of an answer.
    func isShared(_ answer: DigestAnswer, with credential: CredentialStore.Credential, origin: String) -> Bool {
        sessions.withLock { sessions in
            sessions.last { $0.includes(answer.challenge, origin: origin, credential: credential) }.map { $0.count > 1 }
        } ?? false
    }

    private static func append(_ session: DigestSession, to sessions: inout [DigestSession]) {
        if sessions.count >= limit { sessions.removeFirst() }
        sessions.append(session)
    }
}

/// The use of one nonce, with the number of requests that have used it.
struct DigestSession: Sendable {
    let origin: String
    let credential: CredentialStore.Credential
    let challenge: DigestChallenge
    /// The nonces that the secret of a `-sess` algorithm is made from: those of the first answer, until the next
    /// challenge (RFC 7616 §3.4.2). A client nonce has 128 random bits, so that none repeats.
    private let start: (nonce: String, clientNonce: String)
    private(set) var count: UInt32
    /// Whether requests may use the nonce before they are challenged.
    var isShared = true

    init(origin: String, credential: CredentialStore.Credential, challenge: DigestChallenge, count: UInt32 = 0) {
        self.origin = origin
        self.credential = credential
        self.challenge = challenge
        self.count = count
        start = (challenge.nonce, RandomToken.hexadecimal(words: 2))
    }

    private init(_ session: DigestSession, nonce: String) {
        (origin, credential, start) = (session.origin, session.credential, session.start)
        count = 0
        var challenge = session.challenge
        challenge.nonce = nonce
        self.challenge = challenge
    }

    /// The session, continued with the server's next nonce.
    func renewed(nonce: String) -> DigestSession { DigestSession(self, nonce: nonce) }

    /// Whether an answer to the challenge belongs to this session and continues its count.
    func includes(_ challenge: DigestChallenge, origin: String, credential: CredentialStore.Credential) -> Bool {
        self.origin == origin && self.credential == credential && self.challenge.nonce == challenge.nonce
            && self.challenge.realm == challenge.realm
    }

    /// Counts the next request and returns its number; `nil` if the nonce has been used as often as possible.
    mutating func nextCount() -> UInt32? {
        let (next, isTooMany) = count.addingReportingOverflow(1)
        if isTooMany { return nil }
        count = next
        return next
    }

    /// Makes the answer for a request; `nil` if the credential is not for Digest, and for streamed content that
    /// the answer would have to cover.
    ///
    /// Some servers derive the secret of a `-sess` algorithm from the first client nonce, others from the current one.
    /// A `-sess` session has only one, which satisfies both. With other algorithms each answer has its own.
    func answer(to request: NetworkRequest, count: UInt32) -> DigestAnswer? {
        guard case .digest(let user, let password) = credential.kind else { return nil }
        let coversContent = challenge.protection == .content
        // The hash of content that is produced while it is sent is not known in advance.
        if coversContent, request.content.source != nil { return nil }
        let isSession = challenge.algorithm.isSession
        let secret = DigestAnswer.secret(challenge, user: user, password: password, session: isSession ? start : nil)
        return DigestAnswer(
            challenge: challenge,
            user: user,
            secret: secret,
            clientNonce: isSession ? start.clientNonce : RandomToken.hexadecimal(words: 2),
            count: count,
            method: request.method.rawValue,
            uri: request.target.requestTarget,
            contentHash: coversContent ? challenge.algorithm.hash(request.content.data.map { Array($0) } ?? []) : nil
        )
    }
}

extension TargetURI {
    /// The target in origin-form (RFC 9112 §3.2.1), as in the request line.
    var requestTarget: String {
        let path = self.path.isEmpty ? "/" : self.path
        return query.map { "\(path)?\($0)" } ?? path
    }
}
