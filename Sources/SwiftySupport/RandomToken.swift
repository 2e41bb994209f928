// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Random text that cannot be guessed.
package enum RandomToken {
    /// Hexadecimal digits of 64 random bits for each word.
    package static func hexadecimal(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
