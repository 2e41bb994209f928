// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Data

/// The SHA-256 digest (FIPS 180-4) of content that is read in parts.
///
///     var digest = SHA256Digest()
///     for try await part in try await Files.archive("v1").stream() { digest.update(part) }
///     print(digest.finalize())
public struct SHA256Digest: Sendable {
    private var hasher = SHA256.Hasher()

    /// Makes a digest of empty content.
    public init() {}

    /// Adds a part of the content.
    public mutating func update(_ part: Data) {
        part.withUnsafeBytes { hasher.update($0) }
    }

    /// The digest of the content so far, in lower-case hexadecimal digits. More parts may follow.
    public func finalize() -> String {
        hasher.finalize().hexadecimal
    }
}
