// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension RequestDraft {
    /// The status codes that count as success.
    public struct AcceptedStatuses: Sendable, ExpressibleByArrayLiteral {
        private enum Rule: Sendable {
            case any
            case range(Range<Int>)
            case codes(Set<Int>)
            indirect case either(Rule, Rule)

            func contains(_ code: Int) -> Bool {
                switch self {
                case .any: true
                case .range(let range): range.contains(code)
                case .codes(let codes): codes.contains(code)
                case .either(let first, let second): first.contains(code) || second.contains(code)
                }
            }

            var text: String {
                switch self {
                case .any: "all"
                case .range(let range): "\(range.lowerBound) to \(range.upperBound - 1)"
                case .codes(let codes): codes.sorted().map(String.init).joined(separator: ", ")
                case .either(let first, let second): "\(first.text), \(second.text)"
                }
            }
        }

        private let rule: Rule

        private init(_ rule: Rule) {
            self.rule = rule
        }

        /// 200..<300, the successful statuses of RFC 9110 §15.3.
        public static let successful = AcceptedStatuses(.range(200..<300))
        /// Every status, so that the caller judges it.
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

        /// These codes and those of another rule.
        public func union(_ other: AcceptedStatuses) -> AcceptedStatuses {
            AcceptedStatuses(.either(rule, other.rule))
        }

        /// The codes in words: `200 to 299`, `200, 404`, `all`.
        package var text: String { rule.text }

        /// Whether the code counts as success.
        public func contains(_ code: Int) -> Bool { rule.contains(code) }
    }
}

extension RequestDraft {
    /// The source of a request's `Idempotency-Key`.
    public enum IdempotencyKey: Sendable, Hashable {
        /// A key of the caller's choice.
        case fixed(String)
        /// A new key of 128 random bits for each load, the same for all of its attempts.
        case newForEachLoad
    }
}

extension RequestDraft {
    /// The draft with a new key in place of ``IdempotencyKey/newForEachLoad``.
    ///
    /// For network interfaces: once for each load, before its first attempt, so that all attempts have the same key.
    @_spi(Interface)
    public func fixingIdempotencyKey() -> RequestDraft {
        var key: String?
        return fixingIdempotencyKey(&key)
    }

    /// Whether the key is yet to be made.
    package var awaitsIdempotencyKey: Bool {
        if case .newForEachLoad = idempotencyKey { true } else { false }
    }

    /// The draft with the load's key in place of ``IdempotencyKey/newForEachLoad``.
    ///
    /// - Parameter key: The generated key; set by the first draft that needs one.
    package func fixingIdempotencyKey(_ key: inout String?) -> RequestDraft {
        guard awaitsIdempotencyKey else { return self }
        let fixed = key ?? RandomToken.hexadecimal(words: 2)
        key = fixed
        var draft = self
        draft.idempotencyKey = .fixed(fixed)
        return draft
    }
}

extension RequestDraft {
    /// The time limits of the request, with those of the network interface where it sets none.
    package func timeouts(over defaults: NetworkRequest.Timeouts) -> NetworkRequest.Timeouts {
        var limits = timeouts.merging(defaults)
        if isUnlimited { limits.total = nil }
        return limits
    }

    /// The time limit of the whole call; `nil` for none.
    package func totalLimit(over defaults: NetworkRequest.Timeouts) -> Duration? {
        isUnlimited ? nil : timeouts.total ?? defaults.total
    }

    /// Takes the time limits of another request where this one sets none.
    package mutating func inheritTimeouts(of other: RequestDraft) {
        if timeouts.total == nil, !isUnlimited { isUnlimited = other.isUnlimited }
        timeouts = timeouts(over: other.timeouts)
    }
}
