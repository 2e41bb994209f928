// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The reason why a peer ends a connection, as a TLS alert (RFC 8446 §6).
struct TLSAlert: Equatable {
    let number: Int16

    /// `nil` for a negative number, which means that no alert was received.
    init?(number: Int16) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// The name as OpenSSL writes it.
    var name: String { Self.names[number] ?? "alert \(number)" }

    /// The reason of a failure that nothing else explains.
    var text: String { "the server ended TLS with the alert \"\(name)\"" }

    /// Whether the server refuses the client certificate, or demands one. With TLS 1.3 the client may already be
    /// reading the response by then.
    var refusesIdentity: Bool { Self.refusals.contains(number) }

    private static let refusals: Set<Int16> = [42, 43, 44, 45, 46, 48, 49, 116]

    private static let names: [Int16: String] = [
        0: "close notify", 10: "unexpected message", 20: "bad record mac", 22: "record overflow",
        40: "handshake failure", 42: "bad certificate", 43: "unsupported certificate", 44: "certificate revoked",
        45: "certificate expired", 46: "certificate unknown", 47: "illegal parameter", 48: "unknown ca",
        49: "access denied", 50: "decode error", 51: "decrypt error", 70: "protocol version",
        71: "insufficient security", 80: "internal error", 86: "inappropriate fallback", 90: "user canceled",
        109: "missing extension", 110: "unsupported extension", 112: "unrecognized name",
        113: "bad certificate status response", 115: "unknown psk identity", 116: "certificate required",
        120: "no application protocol",
    ]
}
