// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A message padded to a multiple of the size of a block: by a one bit, zeros, and the number of its bits.
struct PaddedMessage {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - message: The end of the message, from the beginning of a block.
    ///   - total: The number of bytes of the whole message; `nil` if `message` is all of it.
    ///   - block: The number of bytes of a block, a power of two.
    ///   - length: The number of bytes in which the number of bits is written.
    init(_ message: [UInt8], of total: Int? = nil, block: Int, length: Int, isBigEndian: Bool) {
        let zeros = (block - (message.count + 1 + length) % block) % block
        let bits = (total ?? message.count) << 3
        var count = (0..<length).map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> ($0 * 8)) : 0 }
        if isBigEndian { count.reverse() }
        bytes = message + [0x80] + [UInt8](repeating: 0, count: zeros) + count
    }
}

extension Array where Element: FixedWidthInteger {
    /// The bytes of all integers.
    func bytes(isBigEndian: Bool) -> [UInt8] {
        flatMap { Swift.withUnsafeBytes(of: isBigEndian ? $0.bigEndian : $0.littleEndian) { [UInt8]($0) } }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The integer with its bits rotated to the right (`ROTR`).
    func rotated(right count: Int) -> Self {
        (self >> count) | (self << (Self.bitWidth - count))
    }
}
