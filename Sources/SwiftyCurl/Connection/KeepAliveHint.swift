// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// What a server says about the life of its connection: `Keep-Alive: timeout=5, max=99`.
///
/// The field is described in RFC 2068 §19.7.1.1 and sent by many servers. A request that is written while the server
/// closes the connection is lost, and one that is not idempotent cannot be repeated.
struct KeepAliveHint: Equatable {
    /// The number of seconds for which the connection may be idle; `nil` if the server does not say.
    private(set) var timeout: Int?
    /// The number of requests that may follow; `nil` if the server does not say.
    private(set) var max: Int?

    /// Parses the value of a field; other parameters, and values that are not numbers, are ignored.
    mutating func note(_ value: Slice<UnsafeBufferPointer<UInt8>>) {
        for parameter in value.split(separator: UInt8(ascii: ",")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Self.number(parts[1]) else { continue }
            switch String(decoding: parts[0].trimmingSpacesTabsAndLineEnds(), as: UTF8.self).lowercased() {
            case "timeout": timeout = number
            case "max": max = number
            default: break
            }
        }
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var digits = text.trimmingSpacesTabsAndLineEnds()
        if digits.count >= 2, digits.first == UInt8(ascii: "\""), digits.last == UInt8(ascii: "\"") {
            digits = digits.dropFirst().dropLast()
        }
        guard digits.isDecimal, digits.count <= 9 else { return nil }
        return digits.reduce(0) { $0 &* 10 &+ Int($1 &- .digitZero) }
    }

    /// The time for which the connection may be idle, in nanoseconds: a second less than the server says, or half as
    /// long if it says little, because the server may close the connection while a request is in transit.
    var idleTime: Int64? {
        timeout.map { $0 > 2 ? Int64($0 - 1) * 1_000_000_000 : Int64($0) * 500_000_000 }
    }
}
