// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    @inlinable package var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66) }

    @inlinable package var isASCIILetterOrDigit: Bool { isASCIIDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) }
}
