// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The dot segments of a path, `.` and `..` (RFC 3986 §3.3).
///
/// `%2e` is equivalent to a dot (§6.2.2.2), and servers treat it as one.
package enum DotSegments {
    /// The number of dots of a dot segment, one or two; `nil` for any other segment.
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

    /// A path with its dot segments resolved (RFC 3986 §5.2.4). It never leads above its first slash.
    static func removed(from path: String) -> String {
        guard mayBe(in: path.utf8) else { return path }
        let isAbsolute = path.hasPrefix("/")
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring] = []
        var isFolder = false
        for segment in segments {
            let dots = dotCount(of: segment)
            // A dot segment at the end names a folder.
            isFolder = dots != nil
            if dots == nil { kept.append(segment) } else if dots == 2 { _ = kept.popLast() }
        }
        if isFolder { kept.append("") }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// Whether a segment begins with a dot or a percent sign.
    static func mayBe(in path: some Sequence<UInt8>) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in path {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }
}
