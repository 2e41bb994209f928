// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings.TLS {
    /// A client's certificate with its private key.
    ///
    /// Every connection of a transport shows the same one to servers that ask; a proxy is never shown it.
    public enum Identity: Sendable, Hashable {
        /// Files in PEM form; the certificate's chain may follow it in its file.
        case pem(certificateFile: String, keyFile: String, password: String? = nil)
        /// A file in PKCS#12 form.
        case pkcs12(file: String, password: String)
    }
}

extension TransportSettings.TLS.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The files, without the password.
    public var description: String {
        switch self {
        case .pem(let certificateFile, let keyFile, _): "PEM \(certificateFile), \(keyFile)"
        case .pkcs12(let file, _): "PKCS#12 \(file)"
        }
    }

    /// As ``description``.
    public var debugDescription: String { description }

    /// Shows `dump` no more than ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
