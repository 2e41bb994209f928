// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension HTTPField.Name {
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    public static let idempotencyKey = literal("Idempotency-Key")
}

extension HTTPFields {
    /// The key by which a server recognizes the repetition of a request; `nil` without one.
    ///
    /// A key without a visible character, or an empty quoted string, identifies nothing. Of several keys, the server
    /// may take any.
    package var idempotencyKey: String? {
        guard contains(.idempotencyKey) else { return nil }
        let keys = self[values: .idempotencyKey]
        guard keys.count == 1, let key = keys.first, key.utf8.contains(where: Self.identifies) else { return nil }
        return key
    }

    private static func identifies(_ byte: UInt8) -> Bool {
        byte > UInt8(ascii: " ") && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
}
