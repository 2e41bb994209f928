// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Durations are numbers of seconds, which every reader understands; Swift's own form is a pair of integers.

extension KeyedEncodingContainer {
    mutating func encode(seconds: Duration, forKey key: Key) throws {
        let (whole, attoseconds) = seconds.components
        try encode(Double(whole) + Double(attoseconds) * 1e-18, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// A duration; zero if it is absent.
    ///
    /// - Throws: `DecodingError` for a number beyond the range of `Duration`.
    func duration(forKey key: Key) throws -> Duration {
        guard let seconds = try decodeIfPresent(Double.self, forKey: key) else { return .zero }
        guard seconds.magnitude < 1e15 else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no duration")
        }
        return .nanoseconds(Int64((seconds.truncatingRemainder(dividingBy: 1) * 1e9).rounded()))
            + .seconds(Int64(seconds.rounded(.towardZero)))
    }

    /// A value; another one if it is absent, as in an archive of an earlier version.
    func value<Value: Decodable>(forKey key: Key, default absent: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? absent
    }
}
