// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A path with variables, such as `users/{user}/repos`, which is compared with the paths of requests.
///
/// The value of a variable without a name is not kept. That of `{path*}` spans one or several segments.
package struct MockPath: Sendable {
    /// A segment: fixed strings with a variable between each two of them.
    private struct Segment: Sendable {
        var texts: [String]
        var names: [String] = []

        var spansSeveral: Bool { names.contains { $0.hasSuffix("*") } }
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

    /// The number of segments; `nil` if a variable spans several.
    package var segmentCount: Int? {
        if segments.contains(where: \.spansSeveral) { return nil }
        return text.isEmpty ? 0 : segments.count
    }

    /// Compares the pattern with a path, which is percent-encoded.
    ///
    /// - Returns: The values of the variables, decoded; `nil` if the path does not match.
    package func values(in path: some StringProtocol) -> [String: String]? {
        guard let parts = parts(of: Self.normalize(path)) else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            guard let found = Self.values(of: segment, in: part) else { return nil }
            for (name, value) in found where !name.isEmpty {
                // A variable that occurs twice has one value.
                guard values.updateValue(value, forKey: name) ?? value == value else { return nil }
            }
        }
        return values
    }

    /// The parts of a path that the segments are compared with; `nil` if the path has too few or too many.
    private func parts(of path: String) -> [Substring]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = segments.firstIndex(where: \.spansSeveral) else {
            return parts.count == segments.count ? parts : nil
        }
        let excess = parts.count - segments.count
        guard excess >= 0 else { return nil }
        let spanned = path[parts[index].startIndex..<parts[index + excess].endIndex]
        return parts[..<index] + [spanned] + parts[(index + excess + 1)...]
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
            values.append((name.hasSuffix("*") ? String(name.dropLast()) : name, PercentEncoding.decode(String(value))))
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
    /// The path of the request after that of the base URL; `nil` if it does not begin with that of the base URL, or is
    /// invalid.
    package var relativePath: String? { target.flatMap { relativePath(of: $0.path) } }

    /// A path without that of the base URL, with which it begins; `nil` for another path.
    package func relativePath(of path: String) -> String? {
        base?.relativePath(of: path).map { MockPath.normalize($0) }
    }

    /// The values that a mock file can use.
    package var mockVariables: MockVariables {
        MockVariables(mockValues, template: template)
    }

    /// The values of the variables of the path, and the parameters of the query as `query.name`.
    package var mockValues: [String: String] {
        var values = relativePath.flatMap { MockPath(template).values(in: $0) } ?? [:]
        for (name, value) in FormContent.items(fullTarget?.query ?? "") where values["query.\(name)"] == nil {
            values["query.\(name)"] = value
        }
        return values
    }
}
