// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Parses the extensions after the size of a chunk, byte by byte, and ignores them.
///
/// Source: RFC 9112 §7.1.1, `chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )`.
struct ChunkExtensions {
    private enum State {
        case none
        /// White space, which only a semicolon may end.
        case gap
        case beforeName
        case name
        /// White space, which a semicolon or an equals sign may end.
        case gapAfterName
        case beforeValue
        case token
        case quoted
        case escaped
        case afterQuoted
        case malformed
    }

    private var state = State.none
    /// Whether a semicolon has been parsed.
    private(set) var hasBegun = false

    /// Whether the line may end here.
    var isComplete: Bool {
        switch state {
        case .none, .name, .token, .afterQuoted, .malformed: true
        case .gap, .beforeName, .gapAfterName, .beforeValue, .quoted, .escaped: false
        }
    }

    /// Accepts malformed extensions: the rest of the line is not parsed.
    mutating func giveUp() {
        state = .malformed
    }

    /// Parses the next byte. Returns `false` if it is not allowed here.
    mutating func append(_ byte: UInt8) -> Bool {
        guard let next = state(after: byte) else { return false }
        state = next
        if next == .beforeName { hasBegun = true }
        return true
    }

    private func state(after byte: UInt8) -> State? {
        switch state {
        case .none, .gap, .afterQuoted: byte.isSpaceOrTab ? .gap : byte == .semicolon ? .beforeName : nil
        case .beforeName: byte.isSpaceOrTab ? .beforeName : byte.isTokenByte ? .name : nil
        case .name: byte.isTokenByte ? .name : stateAfterName(byte)
        case .gapAfterName: stateAfterName(byte)
        case .beforeValue:
            byte.isSpaceOrTab ? .beforeValue : byte == .quote ? .quoted : byte.isTokenByte ? .token : nil
        case .token: byte.isTokenByte ? .token : byte.isSpaceOrTab ? .gap : byte == .semicolon ? .beforeName : nil
        case .quoted: byte == .quote ? .afterQuoted : byte == .backslash ? .escaped : byte.isFieldByte ? .quoted : nil
        case .escaped: byte.isFieldByte ? .quoted : nil
        case .malformed: byte.isFieldByte ? .malformed : nil
        }
    }

    private func stateAfterName(_ byte: UInt8) -> State? {
        switch byte {
        case .equalsSign: .beforeValue
        case .semicolon: .beforeName
        default: byte.isSpaceOrTab ? .gapAfterName : nil
        }
    }
}
