// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes that the grammar of RFC 9112 gives a meaning.
extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")
}
