// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings.TLS {
    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case v1_2
        /// TLS 1.3 (RFC 8446).
        case v1_3
    }
}
