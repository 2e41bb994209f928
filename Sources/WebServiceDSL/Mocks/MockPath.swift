// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A path with variables, such as `users/{user}/repos`, which is compared with the paths of requests.
package struct MockPath: Sendable {
    /// A segment: fixed strings with a variable between each two of them.
    private struct Segment: Sendable {
        var texts: [String]
        var names: [String] = []
    }

    /// The path without slashes at its ends.
    package let text: String
    private let segments: [Segment]

    package init(_ path: String) {
        text = Self.normalize(path)
        segments = text.split(separator: "/", omittingEmptySubsequences: false).map(Self.segment)
    }

    /// A path without slashes at its ends.
    package static func normalize(_ path: some StringProtocol) -> String {
        String(Substring(path).trimming { $0 == "/" })
    }

    package var segmentCount: Int { text.isEmpty ? 0 : segments.count }

    /// Compares the pattern with a path, which is percent-encoded.
    ///
    /// - Returns: The values of the variables, decoded; `nil` if the path does not match.
    package func values(in path: some StringProtocol) -> [String: String]? {
        let parts = Self.normalize(path).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            guard let found = Self.values(of: segment, in: part) else { return nil }
            for (name, value) in found {
                // A variable that occurs twice has one value.
                guard values.updateValue(value, forKey: name) ?? value == value else { return nil }
            }
        }
        return values
    }

    private static func values(of segment: Segment, in part: Substring) -> [(String, String)]? {
        guard !segment.names.isEmpty else { return part == segment.texts[0] ? [] : nil }
        let (first, last) = (segment.texts[0], segment.texts[segment.texts.count - 1])
        guard part.hasPrefix(first) else { return nil }
        var (rest, values) = (part.dropFirst(first.count), [(String, String)]())
        for (index, name) in segment.names.enumerated() {
            let isLast = index == segment.names.count - 1
            let text = isLast ? last : segment.texts[index + 1]
            guard let value = isLast ? rest.dropping(suffix: text) : rest.prefix(before: text), !value.isEmpty else {
                return nil
            }
            values.append((name, PercentEncoding.decode(String(value))))
            rest = rest[value.endIndex...].dropFirst(text.count)
        }
        return values
    }

    private static func segment(_ text: Substring) -> Segment {
        var (segment, rest) = (Segment(texts: [""]), text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            segment.texts[segment.texts.count - 1] += rest[..<open]
            segment.names.append(String(rest[rest.index(after: open)..<close]))
            segment.texts.append("")
            rest = rest[rest.index(after: close)...]
        }
        segment.texts[segment.texts.count - 1] += rest
        segment.texts = segment.texts.map { PercentEncoding.encodeIllegal(in: $0, allowed: .path) }
        return segment
    }
}

extension Substring {
    /// The text before a suffix; `nil` if it does not end with it.
    fileprivate func dropping(suffix: String) -> Substring? {
        hasSuffix(suffix) ? dropLast(suffix.count) : nil
    }

    /// The text before the first occurrence of a string; the first character if that string is empty.
    fileprivate func prefix(before text: String) -> Substring? {
        if text.isEmpty { return prefix(1) }
        return firstRange(of: text).map { self[..<$0.lowerBound] }
    }
}

extension RequestDraft {
    /// The path of the request after that of the base URL; the template tells how many segments it has. `nil` if the
    /// URL is invalid.
    package var relativePath: String? {
        guard let target else { return nil }
        let count = MockPath(template).segmentCount
        let segments = MockPath.normalize(target.path).split(separator: "/", omittingEmptySubsequences: false)
        return segments.suffix(count).joined(separator: "/")
    }

    /// The values that a mock file can use.
    package var mockVariables: MockVariables {
        MockVariables(mockValues, template: template)
    }

    /// The values of the variables of the path, and the parameters of the query as `query.name`.
    package var mockValues: [String: String] {
        var values = relativePath.flatMap { MockPath(template).values(in: $0) } ?? [:]
        for (name, value) in FormBody.items(fullTarget?.query ?? "") where values["query.\(name)"] == nil {
            values["query.\(name)"] = value
        }
        return values
    }
}
