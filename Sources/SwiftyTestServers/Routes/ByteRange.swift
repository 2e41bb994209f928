// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A `Range` field with one range of bytes; any other field is ignored, as a server may do.
struct ByteRange {
    private let first: Int?
    private let last: Int?

    init?(_ field: String) {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.trimmingSpacesAndTabs()
        }
        guard ends.count == 2, ends != ["", ""] else { return nil }
        first = Int(ends[0])
        last = Int(ends[1])
        guard ends[0].isEmpty == (first == nil), ends[1].isEmpty == (last == nil) else { return nil }
        if let first, let last, first > last { return nil }
    }

    /// The range within `count` bytes; `nil` if they do not overlap.
    func resolved(_ count: Int) -> Range<Int>? {
        guard let first else {
            let length = min(last ?? 0, count)
            return length > 0 ? count - length..<count : nil
        }
        guard first < count else { return nil }
        return first..<min(last ?? count - 1, count - 1) + 1
    }
}
