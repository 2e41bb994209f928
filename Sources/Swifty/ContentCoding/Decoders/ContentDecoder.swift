// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Undoes one content coding, piece by piece.
protocol ContentDecoder: AnyObject {
    /// Takes what it can of the input and writes what that gives.
    ///
    /// - Parameters:
    ///   - input: what is left to decode; its beginning is dropped as it is taken.
    ///   - output: where the decoded bytes go.
    /// - Returns: how many bytes were written. Fewer than fit: all of the input was taken.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int

    /// Whether what was taken so far is a complete content.
    var isComplete: Bool { get }
}

extension UnsafeRawBufferPointer {
    /// Leaves the last bytes.
    mutating func keepLast(_ count: Int) {
        self = UnsafeRawBufferPointer(rebasing: suffix(count))
    }
}
