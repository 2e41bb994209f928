// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A strong validator (RFC 9110 §8.8.1): while it is unchanged, the content is the same byte for byte.
package enum ContentValidator: Sendable, Hashable {
    /// An `ETag` that is not weak, as it was received.
    case entityTag(String)
    /// A `Last-Modified`, as it was received.
    case lastModified(String)

    /// The validator of a response; `nil` if it has none that is strong.
    ///
    /// `Last-Modified` counts only without an `ETag`, and if it is at least a second before `Date`, since content can
    /// change twice within a second (RFC 9110 §8.8.2.2, §13.1.5).
    package init?(_ head: ResponseHead) {
        if let tag = head.headers[.eTag] {
            guard Self.isStrong(tag) else { return nil }
            self = .entityTag(tag)
        } else if let text = head.headers[.lastModified], let date = head.headers[.date],
            let changed = HTTPDate.secondsSince1970(text[...]), let sent = HTTPDate.secondsSince1970(date[...]),
            changed < sent
        {
            self = .lastModified(text)
        } else {
            return nil
        }
    }

    /// The value of `If-Range`.
    package var text: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a response to a conditional request has the same content: it has the same validator, or none, since the
    /// server has compared it already.
    package func agrees(with head: ResponseHead) -> Bool {
        switch self {
        case .entityTag(let tag): head.headers[.eTag] ?? tag == tag
        case .lastModified(let text): head.headers[.lastModified] ?? text == text
        }
    }

    /// Whether the text is a quoted tag without `W/` (RFC 9110 §8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == .quote, bytes.last == .quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 != .quote && $0 > 0x20 && $0 != 0x7F }
    }
}
