// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The form in which a ``LineSplitter`` returns lines.
protocol LineContent {
    /// Makes the content of a line within a part.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the line.
    ///   - range: The indices of the line in the part.
    init(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, of part: Data)

    /// Makes the content of a line from its bytes.
    init(line: Data)
}

/// A slice of the part, without a copy.
extension Data: LineContent {
    init(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, of part: Data) {
        self = part[range]
    }

    init(line: Data) {
        self = line
    }
}

/// A text, with U+FFFD in place of what is not UTF-8.
extension String: LineContent {
    init(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, of part: Data) {
        self.init(decoding: bytes, as: UTF8.self)
    }

    init(line: Data) {
        self = line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
