// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Random text that nobody can guess and that never repeats.
enum RandomToken {
    /// Hexadecimal digits: 64 random bits for each word.
    static func hexadecimal(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
