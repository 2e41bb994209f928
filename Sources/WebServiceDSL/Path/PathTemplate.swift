// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A path as the author of an API writes it: `users/{user}/repos?per_page=100`.
///
/// The value of a variable is data: it becomes exactly one percent-encoded segment, or part of one; that of `{path*}`
/// becomes one or several. The result never leaves the origin and the path of the base URL.
struct PathTemplate {
    /// The template without its query; also a label of metrics, which must not contain the values of a query.
    let path: String
    private let query: String
    private let outline: Outline
    /// The values that were interpolated in a literal.
    let interpolated: [RequestPath.Value]
    /// The expansion of a URI Template; `nil` for any other path.
    let expansion: RequestPath.Expansion?

    init(_ requestPath: RequestPath) {
        interpolated = requestPath.values
        expansion = requestPath.expansion
        var text = requestPath.text
        outline = text.withUTF8 { Outline($0) }
        if let mark = outline.mark {
            let index = text.utf8.index(text.startIndex, offsetBy: mark)
            (path, query) = (String(text[..<index]), String(text[text.utf8.index(after: index)...]))
        } else {
            (path, query) = (text, "")
        }
    }

    /// The target of a request: the base URL, this path with its variables filled in, and the queries of both.
    ///
    /// - Throws: ``SwiftyError/Code/invalidURL`` for an absolute URL in place of a path, dot segments, control
    ///   characters, a fragment, an unpaired brace, and a missing, unused or empty variable.
    func join(to base: BaseTarget, _ variables: PathVariables) throws(SwiftyError) -> TargetURI {
        if let expansion {
            return try PathTemplate(RequestPath(expansion.reference.get())).join(to: base, variables)
        }
        if path.isEmpty, query.isEmpty, variables.isEmpty { return base.target }
        if let reason = outline.validationError(quoting: shown) { throw Self.invalid(reason) }
        var (path, query) = (path, query)
        if outline.hasBraces || !variables.isEmpty {
            if let fault = interpolated.firstResult(of: \.fault) {
                throw Self.invalid("a value in the path \"\(shown)\" \(fault)")
            }
            var unused = Set(variables.keys)
            path = try fill(path, from: 0, variables: variables, unused: &unused)
            query = try fill(query, from: self.path.utf8.count + 1, variables: variables, unused: &unused)
            if let name = unused.min() {
                throw Self.invalid("the path \"\(shown)\" has no variable {\(name)}, but a value was given for it")
            }
        }
        if outline.mayHaveDotSegments || outline.hasBraces { try Self.refuseDotSegments(path) }
        return outline.needsEncoding || interpolated.contains(where: \.isRaw)
            ? base.joining(path: path, query: query) : base.joining(encodedPath: path, encodedQuery: query)
    }

    /// The part of the template that an error may quote: without the query, which may hold secrets, and without
    /// credentials before a host.
    var shown: Substring {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "@").map { path[$0...] } ?? path
    }

    /// - Parameter offset: The offset of the part in the UTF-8 text of the template.
    private func fill(
        _ part: String,
        from offset: Int,
        variables: PathVariables,
        unused: inout Set<String>
    ) throws(SwiftyError) -> String {
        var result = ""
        var rest = part[...]
        while let brace = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            guard rest.utf8[brace] == UInt8(ascii: "{"), let end = rest.utf8[brace...].firstIndex(of: UInt8(ascii: "}"))
            else {
                throw Self.invalid(
                    "the path \"\(shown)\" has a brace without its pair; write %7B or %7D for the character"
                )
            }
            let name = String(rest[rest.utf8.index(after: brace)..<end])
            result += rest[..<brace]
            let place = offset + part.utf8.distance(from: part.startIndex, to: brace)
            if let value = interpolated.first(where: { $0.offset == place }) {
                result += try encode(value, isInQuery: offset > 0)
            } else {
                result += try value(of: name, in: variables, unused: &unused)
            }
            rest = rest[rest.utf8.index(after: end)...]
        }
        return result + rest
    }

    private static func refuseDotSegments(_ path: String) throws(SwiftyError) {
        for segment in path.split(separator: "/") where DotSegments.dotCount(of: segment) != nil {
            throw invalid("the path has the dot segment \"\(segment)\", which could lead to another path")
        }
    }

    static func invalid(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidURL, stage: .building, reason: reason)
    }
}

extension PathTemplate {
    /// The properties of a template, found in one pass over its bytes.
    struct Outline {
        /// The offset of the `?` that begins the query.
        private(set) var mark: Int?
        private(set) var hasBraces = false
        /// Whether a segment begins with a dot or a percent sign.
        private(set) var mayHaveDotSegments = false
        /// Whether a byte must be percent-encoded, or is a percent sign, which may have to be.
        private(set) var needsEncoding = false
        private var hasControlCharacter = false
        private var hasFragment = false
        private var isAbsolute = false

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            isAbsolute = Self.hasTwoSlashes(at: 0, bytes) || bytes.first == UInt8(ascii: "\\")
            let plain = PercentEncoding.AllowedBytes.plainPath
            var isInVariable = false
            for index in bytes.indices where !plain.contains(bytes[index]) {
                switch bytes[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "}"):
                    isInVariable = bytes[index] == UInt8(ascii: "{")
                    hasBraces = true
                case UInt8(ascii: "?"): if !isInVariable { mark = mark ?? index }
                case UInt8(ascii: ":"): isAbsolute = isAbsolute || Self.endsScheme(at: index, bytes)
                case UInt8(ascii: "#"): hasFragment = true
                case 0...0x1F, 0x7F: hasControlCharacter = true
                case UInt8(ascii: "."): if Self.beginsSegment(at: index, bytes) { mayHaveDotSegments = true }
                case UInt8(ascii: "%"):
                    if Self.beginsSegment(at: index, bytes) { mayHaveDotSegments = true }
                    needsEncoding = true
                default: needsEncoding = true
                }
            }
        }

        /// Whether the text has what no relative path has, or leads to another server.
        var isNoRelativePath: Bool { hasControlCharacter || hasFragment || isAbsolute }

        private static func hasTwoSlashes(at index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            index + 1 < bytes.count && bytes[index] == UInt8(ascii: "/") && bytes[index + 1] == UInt8(ascii: "/")
        }

        private static func beginsSegment(at index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            index == 0 || bytes[index - 1] == UInt8(ascii: "/")
        }

        /// Whether a colon ends the scheme of an absolute URL.
        private static func endsScheme(at colon: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            hasTwoSlashes(at: colon + 1, bytes)
                && bytes[..<colon].allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
        }

        /// The reason why the text is not a path; `nil` if it is one.
        func validationError(quoting text: @autoclosure () -> Substring) -> String? {
            if hasControlCharacter { return "the path contains a control character" }
            if hasFragment {
                return "the path \"\(text())\" has a fragment (#), which is never sent; write %23 for the character"
            }
            if isAbsolute {
                return "the path \"\(text())\" would lead to another server; use server(_:) for another base URL"
            }
            return nil
        }
    }
}
