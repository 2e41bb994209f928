// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension TransportSettings.TLS {
    /// The authorities whose certificates are accepted, of servers and of proxies that are spoken to over TLS.
    ///
    /// Files are read when connections are made; what was read may be used for a day.
    public enum Trust: Sendable, Hashable {
        /// Those of the file and the folder that the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR` name, else the
        /// system's: those that libcurl was built to use, or the first bundle at the places where Linux distributions keep it.
        case system
        /// Those of a file in PEM form, and no others.
        case file(String)
        /// Those of a folder that `openssl rehash` has prepared, and no others.
        case folder(String)
        /// Those of a text in PEM form, and no others.
        case pem(Data)
    }
}
