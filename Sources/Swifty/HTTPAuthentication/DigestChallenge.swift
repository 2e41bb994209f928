// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A Digest challenge (RFC 7616 §3.3).
///
/// `domain` is ignored: an answer goes only to the origin of the challenge.
struct DigestChallenge: Sendable, Hashable {
    /// The parts of the request that the answer protects, `qop`.
    enum Protection: String, Sendable {
        /// Method and target.
        case request = "auth"
        /// Method, target and content.
        case content = "auth-int"
    }

    let realm: String
    /// The server's nonce, which the server may replace from time to time.
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The server's spelling of the algorithm, which the answer repeats.
    let algorithmName: String?
    /// The protection; `nil` for a challenge of RFC 2069, without `qop`.
    let protection: Protection?
    /// Whether the server refused only the nonce, as too old.
    let isStale: Bool
    let hashesUser: Bool

    /// Reads the parameters of a challenge; `nil` if it is not Digest, lacks a required parameter, or has an unknown
    /// algorithm or `qop`.
    init?(_ challenge: Challenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
            let algorithm = DigestAlgorithm(name: parameters["algorithm"])
        else { return nil }
        let protection = Self.protection(parameters["qop"])
        // Without qop there is no client nonce, which the secret of a session is made from.
        if protection == nil, parameters["qop"] != nil || algorithm.isSession { return nil }
        (self.realm, self.nonce, self.algorithm, self.protection) = (realm, nonce, algorithm, protection)
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUser = parameters["userhash"]?.lowercased() == "true"
    }

    /// The offered protection; `auth` if both are offered, because many servers implement `auth-int` incorrectly.
    private static func protection(_ qop: String?) -> Protection? {
        let offers = (qop ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        return offers.contains("auth") ? .request : offers.contains("auth-int") ? .content : nil
    }
}

/// An algorithm of RFC 7616 §6.1: a digest, and whether the secret is computed once for a session.
struct DigestAlgorithm: Sendable, Hashable {
    /// The digests, the weakest first.
    enum Digest: Int, Sendable {
        case md5, sha256, sha512_256
    }

    let digest: Digest
    /// Whether the name ends in `-sess`.
    let isSession: Bool

    /// The algorithm of this name; MD5 for `nil`, as in a challenge without one. Returns `nil` if the name is unknown.
    init?(name: String?) {
        switch name?.lowercased() {
        case nil, "md5": self.init(.md5)
        case "md5-sess": self.init(.md5, isSession: true)
        case "sha-256": self.init(.sha256)
        case "sha-256-sess": self.init(.sha256, isSession: true)
        case "sha-512-256": self.init(.sha512_256)
        case "sha-512-256-sess": self.init(.sha512_256, isSession: true)
        default: return nil
        }
    }

    private init(_ digest: Digest, isSession: Bool = false) {
        self.digest = digest
        self.isSession = isSession
    }

    /// H of RFC 7616 §3.3, in hexadecimal digits.
    func hash(_ text: String) -> String { hash(Array(text.utf8)) }

    func hash(_ bytes: [UInt8]) -> String {
        switch digest {
        case .md5: MD5.hash(bytes).hexadecimal
        case .sha256: SHA256.hash(bytes).hexadecimal
        case .sha512_256: SHA512_256.hash(bytes).hexadecimal
        }
    }
}
