// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Random numbers determined by a seed (SplitMix64, by Steele, Lea and Flood). Nothing else in a simulation is random.
public struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes the sequence of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// The seed of an independent sequence, such as that of one history.
    public static func seed(_ seed: UInt64, _ index: UInt64) -> UInt64 {
        mix(mix(seed &+ 0x9E37_79B9_7F4A_7C15) ^ (index &* 0xD6E8_FEB8_6659_FD93))
    }

    private static func mix(_ input: UInt64) -> UInt64 {
        var value = input
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

// MARK: Choices

extension SimulationRandom {
    /// A number below the bound, which is at least 1.
    public mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: bound)).high)
    }

    /// A number of the range.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// A number of the range, in which small ones are as likely as large ones: its magnitude is chosen first.
    public mutating func spread(_ range: ClosedRange<Int>) -> Int {
        let width = Int.bitWidth - (range.upperBound - range.lowerBound).leadingZeroBitCount
        let limit = (1 << number(0...width)) - 1
        return range.lowerBound + min(range.upperBound - range.lowerBound, below(limit + 1))
    }

    /// Whether something happens that does so with this chance in 100.
    public mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of the values.
    @inlinable
    public mutating func choose<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }

    /// One of the values, each as likely as its weight says. The weights are not negative, and one is positive.
    @inlinable
    public mutating func choose<Value>(_ values: KeyValuePairs<Int, Value>) -> Value {
        var rest = below(values.reduce(0) { $0 + $1.key })
        for (weight, value) in values {
            if rest < weight { return value }
            rest -= weight
        }
        return values[values.count - 1].value
    }
}
