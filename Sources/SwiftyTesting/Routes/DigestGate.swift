// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// A route's guard that lets pass who answers by RFC 7616, and is strict: the nonce must be its own, each count may come once,
/// the target must be the one of the request line.
///
///     let gate = DigestGate(user: "me", password: "secret")
///     server.route("GET", "/safe") { gate.answer($0) }
///
/// May be used from any thread.
public final class DigestGate: Sendable {
    /// What it asks for.
    public struct Rules: Sendable {
        /// The realm.
        public var realm = "gate"
        /// The algorithms, each of which gets a challenge.
        public var algorithms = ["SHA-256"]
        /// The protections that may be chosen from, as in `auth,auth-int`; `nil` for the manner of RFC 2069.
        public var protections: String? = "auth"
        /// Whether the user's name is to come as a hash.
        public var hashesUser = false
        /// How many requests a nonce is good for; those after are answered with `stale=true`.
        public var usesOfNonce = Int.max
        /// Whether every answer brings the next nonce.
        public var givesNextNonce = false
        /// Whether the server's own proof is wrong.
        public var isImpostor = false

        /// Makes the rules of a gate that asks for SHA-256 and `auth`.
        public init() {}
    }

    private let user: String
    private let password: String
    private let rules: Rules
    /// The counts that have come with each nonce.
    private let nonces = Mutex<[String: Set<String>]>([:])

    /// Makes a gate for one user.
    public init(user: String, password: String, rules: Rules = Rules()) {
        (self.user, self.password, self.rules) = (user, password, rules)
    }

    /// How many nonces it has given.
    public var nonceCount: Int { nonces.withLock { $0.count } }

    /// 200 with the user's name as JSON, or 401 with challenges; 400 for what no correct client does.
    public func answer(_ request: RecordedRequest) -> LoopbackResponse {
        guard let field = request["Authorization"] else { return challenge() }
        guard let sent = DigestFields(field) else { return .status(400) }
        let answer = Proof(sent: sent, request: request, rules: rules, user: user, password: password)
        guard answer.isRight else { return challenge() }
        switch take(sent) {
        case .unknown, .usedUp: return challenge(isStale: true)
        case .repeated: return .text("this count has been used", status: 400)
        case .fresh: return accepted(answer)
        }
    }

    private enum Nonce { case unknown, usedUp, repeated, fresh }

    private func take(_ sent: DigestFields) -> Nonce {
        nonces.withLock { nonces in
            guard let nonce = sent["nonce"], let counts = nonces[nonce] else { return .unknown }
            if rules.protections == nil { return .fresh }
            if counts.count >= rules.usesOfNonce { return .usedUp }
            return nonces[nonce, default: []].insert(sent["nc"] ?? "").inserted ? .fresh : .repeated
        }
    }

    private func newNonce() -> String {
        let nonce = UUID().uuidString
        nonces.withLock { $0[nonce] = [] }
        return nonce
    }

    private func challenge(isStale: Bool = false) -> LoopbackResponse {
        var tail = rules.protections.map { ", qop=\"\($0)\"" } ?? ""
        if rules.hashesUser { tail += ", userhash=true" }
        if isStale { tail += ", stale=true" }
        let nonce = newNonce()
        return rules.algorithms.reduce(LoopbackResponse.status(401)) { response, algorithm in
            response.header(
                "WWW-Authenticate",
                "Digest realm=\"\(rules.realm)\", nonce=\"\(nonce)\", opaque=\"o\\\"p\", algorithm=\(algorithm)\(tail)"
            )
        }
    }

    private func accepted(_ answer: Proof) -> LoopbackResponse {
        let content = Data("{\"authenticated\": true}\n".utf8)
        var information: [String] = []
        if rules.protections != nil {
            let proof = rules.isImpostor ? "0" : answer.serverResponse(content: Array(content))
            information.append("rspauth=\"\(proof)\", qop=\(answer.sent["qop"] ?? "")")
        }
        if rules.givesNextNonce { information.append("nextnonce=\"\(newNonce())\"") }
        let response = LoopbackResponse.data(content, type: "application/json")
        return information.isEmpty
            ? response : response.header("Authentication-Info", information.joined(separator: ", "))
    }
}

extension DigestGate {
    /// What a client has sent, against what it should have.
    private struct Proof {
        let sent: DigestFields
        let request: RecordedRequest
        let rules: Rules
        let user: String
        let password: String

        var isRight: Bool {
            let protections = rules.protections?.split(separator: ",").map(String.init)
            return sent["realm"] == rules.realm && sent["uri"] == request.target && sent["opaque"] == "o\"p"
                && rules.algorithms.contains(sent["algorithm"] ?? "MD5") && isRightUser
                && (protections?.contains(sent["qop"] ?? "") ?? (sent["qop"] == nil))
                && sent["response"] == proof("\(request.method):\(request.target)", content: Array(request.body))
        }

        func serverResponse(content: [UInt8]) -> String {
            proof(":\(request.target)", content: content)
        }

        private var isRightUser: Bool {
            if rules.hashesUser {
                return sent["username"] == hash("\(user):\(rules.realm)") && sent["userhash"] == "true"
            }
            let extended = sent["username*"].map { $0.replacing("UTF-8''", with: "").removingPercentEncoding }
            return (extended ?? sent["username"]) == user
        }

        private func proof(_ subject: String, content: [UInt8]) -> String {
            let nonce = sent["nonce"] ?? ""
            var secret = hash("\(user):\(rules.realm):\(password)")
            if name.hasSuffix("-SESS") { secret = hash("\(secret):\(nonce):\(sent["cnonce"] ?? "")") }
            guard let qop = sent["qop"] else { return hash("\(secret):\(nonce):\(hash(subject))") }
            let whole = qop == "auth-int" ? "\(subject):\(hash(content))" : subject
            return hash("\(secret):\(nonce):\(sent["nc"] ?? ""):\(sent["cnonce"] ?? ""):\(qop):\(hash(whole))")
        }

        private var name: String { (sent["algorithm"] ?? "MD5").uppercased() }

        private func hash(_ text: String) -> String { hash(Array(text.utf8)) }

        private func hash(_ bytes: [UInt8]) -> String {
            if name.hasPrefix("SHA-512-256") { return SHA512_256.hexadecimal(bytes) }
            return name.hasPrefix("SHA-256") ? SHA256.hexadecimal(bytes) : MD5.hexadecimal(bytes)
        }
    }
}

/// The parameters of a Digest `Authorization` field.
struct DigestFields: Sendable {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    /// `nil` if it is no such field, or a parameter comes twice.
    init?(_ field: String) {
        guard field.lowercased().hasPrefix("digest ") else { return nil }
        let pattern = /\s*([A-Za-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))\s*(?:,|$)/
        var rest = field.dropFirst(7)
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: pattern), let value = match.output.2 ?? match.output.3 else {
                return nil
            }
            let plain = String(value).replacing(/\\(.)/) { $0.output.1 }
            guard values.updateValue(plain, forKey: String(match.output.1)) == nil else { return nil }
            rest = rest[match.range.upperBound...]
        }
    }
}
