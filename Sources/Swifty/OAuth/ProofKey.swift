// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A proof that a code is exchanged by the program that requested it (PKCE, RFC 7636).
struct ProofKey: Sendable {
    /// The secret, which only the token request contains: 256 random bits.
    let verifier: String

    init(verifier: String = RandomToken.hexadecimal(words: 4)) {
        self.verifier = verifier
    }

    /// The digest of the secret by the method `S256`, which the browser passes on.
    var challenge: String {
        Data(SHA256.hash(Array(verifier.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
