// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The answer to a Digest challenge, and its `Authorization` field (RFC 7616 §3.4).
struct DigestAnswer: Sendable {
    let challenge: DigestChallenge
    let user: String
    /// H(A1).
    let secret: String
    /// The client's nonce, `cnonce`.
    let clientNonce: String
    /// The number of requests that have used the nonce, including this one.
    let count: UInt32
    let method: String
    /// The request target, in origin-form.
    let uri: String
    /// H of the content; `nil` if the answer does not cover the content.
    let contentHash: String?

    /// Computes H(A1).
    ///
    /// - Parameter session: The nonces that the session began with; `nil` if the algorithm is not a `-sess` one.
    static func secret(
        _ challenge: DigestChallenge,
        user: String,
        password: String,
        session: (nonce: String, clientNonce: String)?
    ) -> String {
        let hash = challenge.algorithm.hash("\(user):\(challenge.realm):\(password)")
        guard let session else { return hash }
        return challenge.algorithm.hash("\(hash):\(session.nonce):\(session.clientNonce)")
    }

    /// The proof for the server, `response`.
    var response: String {
        proof("\(method):\(uri)\(contentHash.map { ":\($0)" } ?? "")")
    }

    /// The proof that the server may return, `rspauth` (RFC 7616 §3.5).
    ///
    /// - Parameter content: The response's content as it was transferred.
    func serverResponse(content: [UInt8]) -> String {
        proof(":\(uri)\(contentHash == nil ? "" : ":\(challenge.algorithm.hash(content))")")
    }

    /// KD(H(A1), …) of RFC 7616 §3.4.1; without `qop`, that of RFC 2069.
    private func proof(_ subject: String) -> String {
        let hash: (String) -> String = challenge.algorithm.hash
        guard let protection = challenge.protection else {
            return hash("\(secret):\(challenge.nonce):\(hash(subject))")
        }
        let numbers = "\(hexadecimalCount):\(clientNonce):\(protection.rawValue)"
        return hash("\(secret):\(challenge.nonce):\(numbers):\(hash(subject))")
    }

    private var hexadecimalCount: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}

extension DigestAnswer {
    /// The value of the `Authorization` field.
    var field: String {
        var parameters = userParameters
        parameters += ["realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(challenge.nonce))"]
        parameters += ["uri=\(Self.quoted(uri))", "response=\(Self.quoted(response))"]
        if let name = challenge.algorithmName { parameters.append("algorithm=\(name)") }
        if let opaque = challenge.opaque { parameters.append("opaque=\(Self.quoted(opaque))") }
        if let protection = challenge.protection {
            parameters += ["qop=\(protection.rawValue)", "nc=\(hexadecimalCount)"]
            parameters.append("cnonce=\(Self.quoted(clientNonce))")
        }
        return "Digest \(parameters.joined(separator: ", "))"
    }

    private var userParameters: [String] {
        if challenge.hashesUser {
            return ["username=\"\(challenge.algorithm.hash("\(user):\(challenge.realm)"))\"", "userhash=true"]
        }
        // The encoding of other characters in a quoted string would be ambiguous (RFC 7616 §3.4, RFC 8187).
        if user.utf8.contains(where: { $0 >= 0x80 }) {
            return ["username*=UTF-8''\(PercentEncoding.encode(user, allowed: .parameter))"]
        }
        return ["username=\(Self.quoted(user))"]
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
