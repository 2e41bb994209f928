// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// A part of the content; see ``NetworkResource/byteRanges(_:)``.
public struct BytePart: Sendable, Hashable {
    /// The byte range of the part in the content.
    public let range: Range<Int>
    /// The number of bytes of the whole content; `nil` if the server does not know it.
    public let total: Int?
    /// The media type of the whole content; `nil` if the server does not say it.
    public let contentType: String?
    /// The bytes.
    public let data: Data
}
