// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The segments of a path that stand for a place: `.` for this folder, `..` for the one above.
///
/// With `%2e` in place of a dot they mean the same (RFC 3986 §6.2.2.2), and servers read them so.
package enum DotSegments {
    /// How many dots the segment consists of: one, two, or nil if it is another segment.
    package static func dotCount(of segment: Substring) -> Int? {
        var rest = segment.utf8[...]
        var count = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst() == UInt8(ascii: "2"), rest.popFirst().map({ $0 | 0x20 }) == UInt8(ascii: "e")
                else { return nil }
            } else if byte != UInt8(ascii: ".") {
                return nil
            }
            count += 1
            if count > 2 { return nil }
        }
        return count == 0 ? nil : count
    }

    /// The path without them (RFC 3986 §5.2.4), segment by segment; it never leads above its first slash.
    static func removed(from path: String) -> String {
        guard mayBe(in: path.utf8) else { return path }
        let isAbsolute = path.hasPrefix("/")
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring] = []
        var isFolder = false
        for segment in segments {
            let dots = dotCount(of: segment)
            // A last segment of dots names a folder.
            isFolder = dots != nil
            if dots == nil { kept.append(segment) } else if dots == 2 { _ = kept.popLast() }
        }
        if isFolder { kept.append("") }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// Whether a segment begins with a dot, or with what may be one.
    package static func mayBe(in path: some Sequence<UInt8>) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in path {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }
}
