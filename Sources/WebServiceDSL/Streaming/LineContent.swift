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
    /// - Returns: `nil` if the bytes are not such content.
    init?(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, of part: Data)

    /// Makes the content of a line from its bytes; `nil` if they are not such content.
    init?(line: Data)
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

/// Text, if the bytes are UTF-8.
extension String: LineContent {
    init?(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, of part: Data) {
        self.init(validating: bytes, as: UTF8.self)
    }

    init?(line: Data) {
        self.init(validating: line, as: UTF8.self)
    }
}
