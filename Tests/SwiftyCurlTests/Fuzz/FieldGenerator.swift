// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Random names and values, valid and invalid ones.
struct FieldGenerator {
    private var random: SplitMix
    /// Whether the next field is made in the way that allows more bytes.
    private(set) var isLenient = false

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func next() -> (name: String, value: [UInt8]) {
        isLenient = below(4) > 0
        var name = "X-" + text(below(5), from: Self.tokenBytes)
        if below(4) == 0 { name = text(below(6), from: Self.bytes) }
        var value = (0..<below(9)).map { _ in UInt8(0x20 + below(0x5F)) }
        if below(2) == 0 { value.insert(Self.bytes[below(256)], at: below(value.count + 1)) }
        if below(16) == 0 { value = (0..<below(9)).map { _ in Self.bytes[below(256)] } }
        return (name, value)
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private mutating func text(_ count: Int, from bytes: [UInt8]) -> String {
        String(decoding: (0..<count).map { _ in bytes[below(bytes.count)] }, as: UTF8.self)
    }

    private static let bytes = (0...255).map { UInt8($0) }
    private static let tokenBytes = Array("abcXYZ019!#$%&'*+-.^_`|~".utf8)
}
