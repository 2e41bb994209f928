// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
