// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

@testable import WebServiceDSL

/// The reference for `PathTemplate`: its rules, applied character by character and one after the other.
struct ReferencePathTemplate {
    let text: String

    /// The part of the text that an error may quote: without the query, which may hold secrets, and without credentials
    /// before a host.
    private var shown: Substring {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "@").map { path[$0...] } ?? path
    }

    /// The target of a request: the base, this path with its variables filled, and both queries.
    ///
    /// - Throws: `SwiftyError.Code.invalidURL` for an absolute URL in place of a path, dot segments, control
    ///   characters, a fragment, an unpaired brace, and a missing, unused or empty variable.
    func join(to base: BaseTarget, _ variables: PathVariables) throws(SwiftyError) -> TargetURI {
        if text.isEmpty, variables.isEmpty { return base.target }
        try refuseForeignForms()
        let filled = try fill(variables)
        let (path, query) = Self.split(filled)
        try Self.refuseDotSegments(path)
        return base.joining(path: String(path), query: String(query))
    }

    private func refuseForeignForms() throws(SwiftyError) {
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw Self.invalid("the path contains a control character")
        }
        if text.contains("#") {
            throw Self.invalid(
                "the path \"\(shown)\" has a fragment (#), which is never sent; write %23 for the character"
            )
        }
        if text.hasPrefix("//") || text.hasPrefix("\\") || Self.looksAbsolute(text) {
            throw Self.invalid(
                "the path \"\(shown)\" would lead to another server; use server(_:) for another base URL"
            )
        }
    }

    private static func looksAbsolute(_ text: String) -> Bool {
        guard let separator = text.firstRange(of: "://") else { return false }
        return text[..<separator.lowerBound].allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
    }

    private func fill(_ variables: PathVariables) throws(SwiftyError) -> String {
        if variables.isEmpty, !text.utf8.contains(UInt8(ascii: "{")), !text.utf8.contains(UInt8(ascii: "}")) {
            return text
        }
        var result = ""
        var unused = Set(variables.keys)
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                throw Self.invalid(
                    "the path \"\(shown)\" has a brace without its pair; write %7B or %7D for the character"
                )
            }
            let name = String(rest[brace..<end].dropFirst())
            result += rest[..<brace]
            result += try value(of: name, in: variables)
            unused.remove(name)
            rest = rest[end...].dropFirst()
        }
        if let name = unused.min() {
            throw Self.invalid("the path \"\(shown)\" has no variable {\(name)}, but a value was given for it")
        }
        return result + rest
    }

    private func value(of name: String, in variables: PathVariables) throws(SwiftyError) -> String {
        guard let variable = variables[name] else {
            throw Self.invalid("the path \"\(shown)\" has the variable {\(name)}, but no value was given for it")
        }
        let value = variable.pathText
        if value.isEmpty { throw Self.invalid("the value of the path variable {\(name)} is empty") }
        return PercentEncoding.encode(value)
    }

    private static func split(_ text: String) -> (path: Substring, query: Substring) {
        guard let mark = text.firstIndex(of: "?") else { return (text[...], "") }
        return (text[..<mark], text[mark...].dropFirst())
    }

    private static func refuseDotSegments(_ path: Substring) throws(SwiftyError) {
        for segment in path.split(separator: "/") where DotSegments.dotCount(of: segment) != nil {
            throw invalid("the path has the dot segment \"\(segment)\", which could lead to another path")
        }
    }

    private static func invalid(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidURL, stage: .building, reason: reason)
    }
}
