// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An algorithm of RFC 7616 §6.1: a digest, and whether its secret is made once for a session.
struct DigestAlgorithm: Sendable, Hashable {
    /// The digests, the weakest first.
    enum Digest: Int, Sendable {
        case md5, sha256, sha512_256
    }

    let digest: Digest
    /// Whether the name ends in `-sess`.
    let isSession: Bool

    /// The algorithm that a challenge names; MD5 if it names none, and `nil` if it is not known.
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
        case .md5: MD5.hexadecimal(bytes)
        case .sha256: SHA256.hexadecimal(bytes)
        case .sha512_256: SHA512_256.hexadecimal(bytes)
        }
    }
}
