// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft {
    /// The status codes that count as success.
    public struct AcceptedStatuses: Sendable, ExpressibleByArrayLiteral {
        private enum Rule: Sendable {
            case any
            case range(Range<Int>)
            case codes(Set<Int>)
        }

        private let rule: Rule

        private init(_ rule: Rule) {
            self.rule = rule
        }

        /// 200..<300: the successful statuses of RFC 9110 §15.3.
        public static let successful = AcceptedStatuses(.range(200..<300))
        /// Every status: the caller judges.
        public static let any = AcceptedStatuses(.any)

        /// The codes of a range.
        public init(_ range: some RangeExpression<Int>) {
            rule = .range(range.relative(to: 0..<1000))
        }

        /// The codes of a set.
        public init(_ codes: Set<Int>) {
            rule = .codes(codes)
        }

        /// The codes that are listed: `[200, 404]`.
        public init(arrayLiteral codes: Int...) {
            rule = .codes(Set(codes))
        }

        /// Whether the code counts as success.
        public func contains(_ code: Int) -> Bool {
            switch rule {
            case .any: true
            case .range(let range): range.contains(code)
            case .codes(let codes): codes.contains(code)
            }
        }
    }
}

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
