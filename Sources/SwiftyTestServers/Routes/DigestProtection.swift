// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Synchronization

/// Protects a route with strict HTTP Digest authentication (RFC 7616).
///
///     let protection = DigestProtection(user: "me", password: "secret")
///     server.route("GET", "/safe") { protection.respond(to: $0) }
///
/// The nonce must be one that it issued, each nonce count is accepted once, and the URI must be the target of the
/// request line. May be used from any thread.
public final class DigestProtection: Sendable {
    /// The parameters of the challenges, and the behaviour of the server.
    public struct Rules: Sendable {
        /// The realm.
        public var realm = "gate"
        /// The algorithms, with a challenge for each.
        public var algorithms = ["SHA-256"]
        /// The offered qualities of protection (`qop`), as in `auth,auth-int`; `nil` for challenges of RFC 2069.
        public var protections: String? = "auth"
        /// Whether the user name must be sent as a hash (`userhash`).
        public var hashesUser = false
        /// The number of requests that a nonce is valid for; later ones get a challenge with `stale=true`.
        public var usesOfNonce = Int.max
        /// Whether every successful response contains the next nonce (`nextnonce`).
        public var givesNextNonce = false
        /// Whether the server's own proof (`rspauth`) is wrong.
        public var isImpostor = false

        /// Makes rules that require SHA-256 and `auth`.
        public init() {}
    }

    private let user: String
    private let password: String
    private let rules: Rules
    /// The nonce counts received with each nonce.
    private let nonces = Mutex<[String: Set<String>]>([:])

    /// Makes a protection with the credentials of one user.
    public init(user: String, password: String, rules: Rules = Rules()) {
        (self.user, self.password, self.rules) = (user, password, rules)
    }

    /// The number of nonces issued so far.
    public var nonceCount: Int { nonces.withLock { $0.count } }

    /// The response to a request: 200 with JSON, 401 with challenges, or 400 if no correct client would send the
    /// request.
    public func respond(to request: RecordedRequest) -> LoopbackResponse {
        guard let field = request["Authorization"] else { return challenge() }
        guard let sent = DigestFields(field) else { return .status(400) }
        let proof = Proof(sent: sent, request: request, rules: rules, user: user, password: password)
        guard proof.isCorrect else { return challenge() }
        switch useNonce(of: sent) {
        case .unknown, .usedUp: return challenge(isStale: true)
        case .repeated: return .text("this count has been used", status: 400)
        case .fresh: return accepted(proof)
        }
    }

    private enum NonceState { case unknown, usedUp, repeated, fresh }

    private func useNonce(of sent: DigestFields) -> NonceState {
        nonces.withLock { nonces in
            guard let nonce = sent["nonce"], let counts = nonces[nonce] else { return .unknown }
            if rules.protections == nil { return .fresh }
            if counts.count >= rules.usesOfNonce { return .usedUp }
            return nonces[nonce, default: []].insert(sent["nc"] ?? "").inserted ? .fresh : .repeated
        }
    }

    private func issueNonce() -> String {
        let nonce = UUID().uuidString
        nonces.withLock { $0[nonce] = [] }
        return nonce
    }

    private func challenge(isStale: Bool = false) -> LoopbackResponse {
        var tail = rules.protections.map { ", qop=\"\($0)\"" } ?? ""
        if rules.hashesUser { tail += ", userhash=true" }
        if isStale { tail += ", stale=true" }
        let nonce = issueNonce()
        return rules.algorithms.reduce(LoopbackResponse.status(401)) { response, algorithm in
            response.header(
                "WWW-Authenticate",
                "Digest realm=\"\(rules.realm)\", nonce=\"\(nonce)\", opaque=\"o\\\"p\", algorithm=\(algorithm)\(tail)"
            )
        }
    }

    private func accepted(_ proof: Proof) -> LoopbackResponse {
        let content = Data("{\"authenticated\": true}\n".utf8)
        var information: [String] = []
        if rules.protections != nil {
            let value = rules.isImpostor ? "0" : proof.serverResponse(content: Array(content))
            information.append("rspauth=\"\(value)\", qop=\(proof.sent["qop"] ?? "")")
        }
        if rules.givesNextNonce { information.append("nextnonce=\"\(issueNonce())\"") }
        let response = LoopbackResponse.data(content, type: "application/json")
        return information.isEmpty
            ? response : response.header("Authentication-Info", information.joined(separator: ", "))
    }
}

extension DigestProtection {
    /// The fields that a client has sent, compared with the expected ones.
    private struct Proof {
        let sent: DigestFields
        let request: RecordedRequest
        let rules: Rules
        let user: String
        let password: String

        var isCorrect: Bool {
            let protections = rules.protections?.split(separator: ",").map(String.init)
            return sent["realm"] == rules.realm && sent["uri"] == request.target && sent["opaque"] == "o\"p"
                && rules.algorithms.contains(sent["algorithm"] ?? "MD5") && isCorrectUser
                && (protections?.contains(sent["qop"] ?? "") ?? (sent["qop"] == nil))
                && sent["response"] == proof("\(request.method):\(request.target)", content: Array(request.content))
        }

        func serverResponse(content: [UInt8]) -> String {
            proof(":\(request.target)", content: content)
        }

        private var isCorrectUser: Bool {
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
            if name.hasPrefix("SHA-512-256") { return SHA512_256.hash(bytes).hexadecimal }
            return name.hasPrefix("SHA-256") ? SHA256.hash(bytes).hexadecimal : MD5.hash(bytes).hexadecimal
        }
    }
}

/// The parameters of a Digest `Authorization` field.
struct DigestFields: Sendable {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    /// `nil` if the field is malformed or repeats a parameter.
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
