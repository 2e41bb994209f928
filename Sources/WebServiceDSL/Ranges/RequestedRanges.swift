// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The ranges that a request asks for in its `Range` (RFC 9110 §14.1.2), which a response with status 206 must have.
package struct RequestedRanges: Sendable, Hashable {
    private enum Place: Sendable, Hashable {
        /// The bytes from the first up to, and without, the end; an end of `Int.max` means the rest of the content.
        case from(Int, end: Int)
        /// The last bytes.
        case last(Int)

        /// Whether the bytes of a response begin where this range begins.
        func begins(_ bytes: Range<Int>, _ total: Int?) -> Bool {
            switch self {
            case .from(let first, _): bytes.lowerBound == first
            case .last(let count): total.map { bytes.lowerBound == max(0, $0 - count) } ?? (bytes.count <= count)
            }
        }
    }

    /// Empty for a unit other than bytes and for an invalid value: their meaning is up to the server.
    private let places: [Place]

    /// The ranges in header fields; `nil` without `Range`.
    package init?(_ headers: HTTPFields) {
        guard let value = headers[.range] else { return nil }
        places = Self.places(value) ?? []
    }

    /// The reason why a response has other bytes than those that were asked for; `nil` if it has them, and for a status
    /// other than 206.
    ///
    /// - Parameter mayBeShorter: Whether fewer bytes are enough if they begin at the same offset: a server may send
    ///   less than was asked for (RFC 9110 §15.3.7).
    package func mismatch(_ head: ResponseHead, mayBeShorter: Bool) -> String? {
        guard head.statusCode == 206, !places.isEmpty else { return nil }
        if head.headers[.contentType].flatMap(ByteRangesParser.boundary) != nil {
            return places.count > 1 ? nil : "the response has several parts, and the request one range"
        }
        guard let range = ContentRange(head), let bytes = range.bytes else {
            return "the response has no valid Content-Range"
        }
        guard places.contains(where: { $0.begins(bytes, range.total) }), bytes.upperBound <= end else {
            return "the bytes \(bytes.lowerBound)-\(bytes.upperBound - 1) were not asked for"
        }
        if let announced = head.contentLength, announced != bytes.count {
            return "the response has \(announced) bytes, and its range \(bytes.count)"
        }
        if mayBeShorter || places.count > 1 { return nil }
        let end = min(end, range.total ?? bytes.upperBound)
        return bytes.upperBound < end ? "the response ends at byte \(bytes.upperBound), not at \(end)" : nil
    }

    /// The end of the ranges; `Int.max` if one has no end.
    private var end: Int {
        places.map { if case .from(_, let end) = $0 { end } else { .max } }.max() ?? .max
    }
}

extension RequestedRanges {
    /// The ranges of a value; `nil` if it has another unit, or is invalid.
    private static func places(_ value: String) -> [Place]? {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingSpacesAndTabs().lowercased() == "bytes" else { return nil }
        let texts = parts[1].split(separator: ",").map { $0.trimmingSpacesAndTabs() }.filter { !$0.isEmpty }
        let places = texts.compactMap { place(Substring($0)) }
        return places.count == texts.count ? places : nil
    }

    private static func place(_ text: Substring) -> Place? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return number(ends[1]).map { .last($0) } }
        guard let first = number(ends[0]) else { return nil }
        if ends[1].isEmpty { return .from(first, end: .max) }
        guard let last = number(ends[1]), first <= last else { return nil }
        return .from(first, end: last + 1)
    }

    /// A number; one beyond the size of any content is capped, so that adding 1 does not overflow.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.isDecimal else { return nil }
        return text.utf8.count <= 18 ? Int(text) : .max - 1
    }
}
