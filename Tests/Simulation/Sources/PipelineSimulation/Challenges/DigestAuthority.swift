// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// The side of a server in Digest authentication, by RFC 7616.
struct DigestAuthority {
    enum Verdict {
        /// With the value of `Authentication-Info`, if there is one.
        case accepted(String)
        /// There is no answer.
        case open
        case nonceRefused
        case passwordRefused
    }

    private struct Nonce {
        /// The nonce that its session began with.
        let start: String
        let begin: Int64
        var counts: Set<Int> = []
        var requestCount = 0
    }

    let plan: ChallengePlan.Server
    let name: String
    /// The password of the client.
    let password: String
    private var nonces: [String: Nonce] = [:]
    private var acceptedCount = 0
    /// How often the password of each load was refused.
    private var refusals: [Int: Int] = [:]
    /// How often a nonce of each load was refused.
    private var nonceRefusals: [Int: Int] = [:]

    init(_ plan: ChallengePlan.Server, name: String, password: String) {
        (self.plan, self.name, self.password) = (plan, name, password)
    }

    static let user = "user"

    private mutating func makeNonce(start: String? = nil, at now: Int64) -> String {
        let nonce = "\(name)-\(nonces.count)"
        nonces[nonce] = Nonce(start: start ?? nonce, begin: now)
        return nonce
    }

    /// A challenge with a new nonce.
    mutating func challenge(isStale: Bool, at now: Int64) -> String {
        var parameters = ["realm=\"\(name)\"", "nonce=\"\(makeNonce(at: now))\"", "algorithm=\(plan.algorithm)"]
        if let protection = plan.protection { parameters.append("qop=\"\(protection)\"") }
        if isStale, plan.saysStale { parameters.append("stale=true") }
        return "Digest \(parameters.joined(separator: ", "))"
    }

    // MARK: Answers

    /// Judges the answer of a request.
    mutating func judge(_ request: NetworkRequest, of load: Int, in world: World) -> Verdict {
        guard let field = request.headers[.authorization] else { return .open }
        let answer = Self.parameters(of: field)
        guard let name = answer["nonce"], var nonce = nonces[name], answer["realm"] == self.name else {
            world.report("an answer is for a challenge of its server", "load \(load): \(field)")
            return .open
        }
        // Once more with another nonce: others may have used that of the first answer.
        world.expect(refusals[load, default: 0] < 2, "a refused credential is not sent again", "load \(load)")
        let subject = "\(request.method.rawValue):\(request.target.path)"
        let proof = proof(answer, start: nonce.start, subject, request.bytes)
        world.expect(answer["response"] == proof, "an answer is that of its credential", "load \(load): \(field)")
        nonce.requestCount += 1
        let isInForce = isInForce(&nonce, count: answer["nc"].flatMap { Int($0, radix: 16) }, load, world)
        nonces[name] = nonce
        if plan.hasOtherPassword {
            refusals[load, default: 0] += 1
            return .passwordRefused
        }
        guard isInForce else {
            world.expect(nonceRefusals[load, default: 0] < 3, "a refused nonce is replaced twice", "load \(load)")
            nonceRefusals[load, default: 0] += 1
            return .nonceRefused
        }
        return .accepted(information(answer, nonce, at: world.now))
    }

    private func isInForce(_ nonce: inout Nonce, count: Int?, _ load: Int, _ world: World) -> Bool {
        let highest = nonce.counts.max() ?? 0
        if plan.protection != nil, let count {
            let isFirst = nonce.counts.insert(count).inserted
            world.expect(isFirst, "no count of a nonce is used twice", "load \(load): \(count)")
            if plan.isOrdered, count <= highest { return false }
        }
        if let uses = plan.uses, nonce.requestCount > uses { return false }
        return plan.lifetime.map { world.now < nonce.begin + $0.milliseconds } ?? true
    }

    private mutating func information(_ answer: [String: String], _ nonce: Nonce, at now: Int64) -> String {
        acceptedCount += 1
        var parameters: [String] = []
        if plan.provesItself {
            let (subject, content) = (":\(answer["uri"] ?? "")", Array(ChallengeServer.content.utf8))
            let proof = proof(answer, start: nonce.start, subject, content)
            parameters.append("rspauth=\"\(proof)\"")
        }
        if let number = plan.nextNonceAfter, acceptedCount % number == 0 {
            parameters.append("nextnonce=\"\(makeNonce(start: nonce.start, at: now))\"")
        }
        return parameters.joined(separator: ", ")
    }

    /// The proof that the password is known (RFC 7616 §3.4.1, or RFC 2069).
    private func proof(_ answer: [String: String], start: String, _ subject: String, _ content: [UInt8]) -> String {
        guard let hash = DigestAlgorithm(name: plan.algorithm)?.hash as ((String) -> String)? else { return "" }
        let (nonce, clientNonce) = (answer["nonce"] ?? "", answer["cnonce"] ?? "")
        var secret = hash("\(Self.user):\(name):\(password)")
        if plan.algorithm.hasSuffix("-sess") { secret = hash("\(secret):\(start):\(clientNonce)") }
        let ofContent = plan.protection == "auth-int" ? ":" + hash(String(decoding: content, as: UTF8.self)) : ""
        let rest = hash(subject + ofContent)
        guard let protection = plan.protection else { return hash("\(secret):\(nonce):\(rest)") }
        return hash("\(secret):\(nonce):\(answer["nc"] ?? ""):\(clientNonce):\(protection):\(rest)")
    }

    /// The parameters of a field. None of them has an escaped character or a comma.
    private static func parameters(of field: String) -> [String: String] {
        field.dropFirst("Digest ".count).split(separator: ",").reduce(into: [:]) { parameters, pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { parameters[String(parts[0])] = parts[1].filter { $0 != "\"" } }
        }
    }
}

extension NetworkRequest {
    fileprivate var bytes: [UInt8] { content.data.map { Array($0) } ?? [] }
}
