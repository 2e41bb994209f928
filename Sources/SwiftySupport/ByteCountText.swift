// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A number of bytes as curl writes it.
package enum ByteCountText {
    /// The number; K, M and G stand for factors of 1024, 1024² and 1024³. `nil` if it is not a number above zero.
    package static func value(of text: String) -> Int? {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = text.uppercased().last.flatMap { factors[$0] }
        guard let number = Int(factor == nil ? text : String(text.dropLast())), number > 0 else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
        return overflow ? nil : value
    }
}
