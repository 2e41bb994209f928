// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings.Proxy {
    /// Why a text or a value is not a proxy that can be used.
    public struct ValidationError: Error, Sendable, Hashable {
        /// What is wrong, as a sentence part that a person can act on; repeats nothing of the text, which may hold a password.
        public let reason: String
    }
}

extension TransportSettings.Proxy {
    /// The proxy, if it can be used.
    ///
    /// - Throws: ``ValidationError`` if a part would not survive its way to the wire.
    package func checked() throws(ValidationError) -> TransportSettings.Proxy {
        guard (1...65_535).contains(address.port) else { throw Self.invalidPort }
        guard address.isValid else {
            throw ValidationError(
                reason: "its host is not a name, an IPv4 address or an IPv6 address in brackets"
            )
        }
        try checkCredentials()
        return self
    }

    private func checkCredentials() throws(ValidationError) {
        for text in [user, password].compactMap({ $0 }) {
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ValidationError(
                    reason: "its user name or password contains a control character"
                )
            }
            guard kind.isHTTP || text.utf8.count <= 255 else {
                throw ValidationError(
                    reason: "its user name or password is longer than SOCKS allows, 255 bytes"
                )
            }
        }
        guard !kind.isHTTP || user?.utf8.contains(UInt8(ascii: ":")) != true else {
            throw ValidationError(
                reason: "its user name contains a colon, which Basic authentication has no way to send"
            )
        }
    }

    static let invalidPort = ValidationError(
        reason: "its port is not a number between 1 and 65535"
    )
}
