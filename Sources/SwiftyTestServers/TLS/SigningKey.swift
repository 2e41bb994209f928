// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Safety: OpenSSL's key is not changed after it is made, and its reference count is atomic.
/// A private key on the curve P-256, made by OpenSSL.
final class SigningKey: @unchecked Sendable {
    let library: OpenSSL
    let object: OpenSSL.Object
    /// The public key as in a certificate: a `SubjectPublicKeyInfo` (RFC 5280 §4.1).
    let publicKey: [UInt8]

    /// Makes a key.
    ///
    /// - Throws: ``ServerTLS/UnavailableError``.
    init() throws(ServerTLS.UnavailableError) {
        guard let library = OpenSSL.shared else {
            throw ServerTLS.UnavailableError(reason: "OpenSSL 1.1.1 or later is not installed")
        }
        guard let object = Self.make(library),
            let publicKey = OpenSSL.encoding({ library.encodePublicKey(object, $0) })
        else { throw ServerTLS.UnavailableError(reason: "OpenSSL could not make a key on the curve P-256") }
        self.library = library
        self.object = object
        self.publicKey = publicKey
    }

    deinit {
        library.freeKey(object)
    }

    private static func make(_ library: OpenSSL) -> OpenSSL.Object? {
        guard let context = library.makeKeyContext(OpenSSL.ellipticCurveKey, nil) else { return nil }
        defer { library.freeKeyContext(context) }
        var key: OpenSSL.Object?
        guard library.beginKeyGeneration(context) > 0,
            library.setKeyOption(context, "ec_paramgen_curve", "P-256") > 0,
            library.setKeyOption(context, "ec_param_enc", "named_curve") > 0,
            library.generateKey(context, &key) > 0
        else { return nil }
        return key
    }

    /// The private key, encoded according to RFC 5915.
    var encoding: [UInt8] { OpenSSL.encoding { library.encodePrivateKey(object, $0) } ?? [] }

    /// The signature of bytes: ECDSA with SHA-256.
    func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = library.makeDigestContext() else { return [] }
        defer { library.freeDigestContext(context) }
        var count = 0
        guard library.beginSignature(context, nil, library.sha256(), nil, object) > 0,
            library.sign(context, nil, &count, bytes, bytes.count) > 0
        else { return [] }
        var signature = [UInt8](repeating: 0, count: count)
        guard library.sign(context, &signature, &count, bytes, bytes.count) > 0 else { return [] }
        return Array(signature.prefix(count))
    }
}
