// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The SHA-256 digest in `Repr-Digest` or `Content-Digest` (RFC 9530): `sha-256=:base64:`, among others.
enum DigestField {
    /// The digest of the whole representation in its present coding.
    static let representation = HTTPField.Name.literal("Repr-Digest")
    /// The digest of the content of one response.
    static let content = HTTPField.Name.literal("Content-Digest")

    /// The digest that the head has for the whole file; `nil` without one.
    ///
    /// `Content-Digest` is that of the content alone, so it counts only for a response with all of it.
    static func digest(_ head: ResponseHead) -> [UInt8]? {
        digest(head.headers, isWhole: head.statusCode != 206)
    }

    /// The digest in header fields or trailers.
    static func digest(_ fields: HTTPFields, isWhole: Bool) -> [UInt8]? {
        if let digest = digest(in: fields[values: representation]) { return digest }
        return isWhole ? digest(in: fields[values: content]) : nil
    }

    /// The digest of a dictionary of structured fields (RFC 8941 §3.2). The last member counts, and parameters do not.
    private static func digest(in values: [String]) -> [UInt8]? {
        let members = values.flatMap { $0.split(separator: ",") }
        let digests = members.compactMap { member -> [UInt8]? in
            let parts = member.trimmingSpacesAndTabs().split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "sha-256" else { return nil }
            return bytes(parts[1])
        }
        return digests.last
    }

    /// The bytes of `:base64:`.
    private static func bytes(_ value: Substring) -> [UInt8]? {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty else { return nil }
        return Data(base64Encoded: String(parts[1])).map { [UInt8]($0) }
    }
}
