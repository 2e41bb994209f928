// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4 §6.2).
package enum SHA256 {
    /// The digest of a message.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var hasher = Hasher()
        message.withUnsafeBytes { hasher.update($0) }
        return hasher.finalize()
    }
}

extension SHA256 {
    /// The computation of a digest from parts of a message, which can be stopped, saved and continued.
    package struct Hasher: Sendable, Equatable {
        private var state = State()
        /// The number of bytes so far.
        package private(set) var count = 0
        /// The bytes after the last whole block.
        private var rest: [UInt8] = []

        private static let block = 64

        package init() {
            rest.reserveCapacity(Self.block)
        }

        /// Adds a part of the message.
        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            var part = bytes[...]
            count &+= bytes.count
            if !rest.isEmpty { fillBlock(from: &part) }
            let whole = part.count / Self.block * Self.block
            if whole > 0 { state.mix(UnsafeRawBufferPointer(rebasing: part.prefix(whole))) }
            rest.append(contentsOf: part.dropFirst(whole))
        }

        /// Completes the block that an earlier part began, as far as the part suffices.
        private mutating func fillBlock(from part: inout Slice<UnsafeRawBufferPointer>) {
            let missing = part.prefix(Self.block - rest.count)
            rest.append(contentsOf: missing)
            part = part.dropFirst(missing.count)
            guard rest.count == Self.block else { return }
            rest.withUnsafeBytes { state.mix($0) }
            rest.removeAll(keepingCapacity: true)
        }

        /// The digest of the message so far. More parts may follow.
        package func finalize() -> [UInt8] {
            var end = state
            let padded = PaddedMessage(rest, of: count, block: Self.block, length: 8, isBigEndian: true)
            padded.bytes.withUnsafeBytes { end.mix($0) }
            return end.words.bytes(isBigEndian: true)
        }
    }
}

extension SHA256.Hasher {
    /// The computation as bytes, to be continued by another process: state, number of bytes, bytes after the last whole
    /// block.
    package var encoded: [UInt8] {
        state.words.bytes(isBigEndian: true) + [UInt64(count)].bytes(isBigEndian: true) + rest
    }

    /// Continues a computation; `nil` if the bytes are not an encoded one.
    package init?(encoded bytes: [UInt8]) {
        guard bytes.count >= 40 else { return nil }
        let words = (0..<8).map { index in
            bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard let count = Int(exactly: bytes[32..<40].reduce(0) { $0 << 8 | UInt64($1) }),
            bytes.count == 40 + count % Self.block
        else { return nil }
        (state.a, state.b, state.c, state.d) = (words[0], words[1], words[2], words[3])
        (state.e, state.f, state.g, state.h) = (words[4], words[5], words[6], words[7])
        self.count = count
        rest = Array(bytes[40...])
    }
}
