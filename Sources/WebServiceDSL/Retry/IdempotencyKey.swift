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
    /// The draft with an `Idempotency-Key` that stays the same from now on, if it asks for one.
    ///
    /// For network interfaces, once for each load and before its first attempt.
    public func fixingIdempotencyKey() -> RequestDraft {
        guard case .newForEachLoad = idempotencyKey else { return self }
        var draft = self
        draft.idempotencyKey = .fixed(RandomToken.hexadecimal(words: 2))
        return draft
    }
}
