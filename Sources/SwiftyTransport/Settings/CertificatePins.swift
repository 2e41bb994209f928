// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

extension TransportSettings.TLS {
    /// What a server's certificate must be, beside valid: one of these. Give more than one, so that a key can be replaced.
    ///
    /// Only the server's own certificate counts, not those that it sends along. An empty list and a digest that is not
    /// `sha256//` with the base64 form of 32 bytes fail every load of the transport with
    /// ``SwiftyError/Code/invalidSettings``.
    public enum Pins: Sendable, Hashable {
        /// SHA-256 digests of public keys (SubjectPublicKeyInfo), each as `sha256//` and base64, as libcurl and RFC 7469 have
        /// them.
        case publicKeys([String])
        /// SHA-256 digests of whole certificates (DER), each as `sha256//` and base64.
        case certificates([String])
    }
}

extension TransportSettings.TLS.Pins {
    /// The pin of a key or a certificate in DER form.
    package static func pin(of der: some Collection<UInt8>) -> String {
        prefix + Data(SHA256.hash(Array(der))).base64EncodedString()
    }

    /// The digest that a pin names, in the one way to write it; nil if it is malformed.
    package static func normalized(_ pin: String) -> String? {
        guard pin.hasPrefix(prefix), let digest = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        return prefix + digest.base64EncodedString()
    }

    private static let prefix = "sha256//"
}
