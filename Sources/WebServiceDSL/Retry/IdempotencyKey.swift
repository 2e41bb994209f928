// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft {
    /// Where the `Idempotency-Key` of a request comes from.
    public enum IdempotencyKey: Sendable, Hashable {
        /// The caller has given it.
        case fixed(String)
        /// One of 128 random bits is made for each load, and kept over its attempts.
        case newForEachLoad
    }
}

extension RequestDraft {
    /// The draft with a fixed `Idempotency-Key`, if it asks for a new one.
    ///
    /// For network interfaces, once for each load and before its first attempt.
    public func fixingIdempotencyKey() -> RequestDraft {
        var key: String?
        return fixingIdempotencyKey(&key)
    }

    /// The draft with the load's `Idempotency-Key`, if it asks for a new one.
    ///
    /// - Parameter key: The generated key; set by the first draft that asks for one.
    package func fixingIdempotencyKey(_ key: inout String?) -> RequestDraft {
        guard case .newForEachLoad = idempotencyKey else { return self }
        let fixed = key ?? RandomToken.hexadecimal(words: 2)
        key = fixed
        var draft = self
        draft.idempotencyKey = .fixed(fixed)
        return draft
    }
}
