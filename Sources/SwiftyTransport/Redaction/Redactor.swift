// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

package import struct Foundation.Data

/// Keeps the secrets of a request out of everything that is printed or recorded.
///
/// It alone decides what a secret is: descriptions, `curl` commands, explanations, errors, log lines, mocks, cassettes
/// and the command use it. It is made when something is printed, and never by a load that prints nothing.
package struct Redactor: Sendable {
    /// The names of secrets.
    package let names: SecretNames
    /// The values that are secret wherever they occur.
    package let values: Set<String>
    /// The values that are secret in paths, and too short to be looked for elsewhere.
    private let shortPathValues: Set<String>
    /// Replaces the values; `nil` if there are none.
    private let replacer: SecretReplacer?
    /// The minimum length of a value, in bytes: shorter ones, such as `1`, would be found everywhere.
    package static let minimumLength = 5

    /// Makes the redactor of a request; `nil` stands for a request that declares no secrets.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that the request declares.
    ///   - names: Additional names.
    ///   - values: Additional values, which are secret wherever they occur.
    package init(_ secrets: RequestSecrets? = nil, names: SecretNames = .standard, values: Set<String> = []) {
        self.names = secrets.map { $0.names.union(names) } ?? names
        let paths = secrets?.pathValues ?? []
        let long = paths.filter { $0.utf8.count >= Self.minimumLength }
        self.values = values.union(secrets?.values ?? []).union(long)
        shortPathValues = paths.subtracting(long)
        replacer = self.values.isEmpty ? nil : SecretReplacer(self.values)
    }

    /// Whether the value of a field, a parameter or a part of this name is hidden.
    package func isSecret(_ name: some StringProtocol) -> Bool { names.kind(of: name) != nil }

    // MARK: - Text

    /// An absolute or relative reference, such as a server sends, without credentials and secrets: in its path, its
    /// query and its fragment.
    package func reference(_ reference: String) -> String {
        text(hidingShortValues(inPathOf: reference), as: .url)
    }

    /// The parameters of a query or a fragment without secrets.
    package func parameters(_ parameters: String) -> String { text(parameters, as: .parameters) }

    /// A message, or any other text, without secrets.
    package func text(_ text: String) -> String { self.text(text, as: .text) }

    /// The value of a header field without secrets.
    package func value(_ value: String, of name: String) -> String {
        if isSecret(name) { return Redaction.placeholder }
        let isReference = Self.fieldsWithURI.contains(name.lowercased()) && !value.contains(" ")
        return isReference ? reference(value) : text(value)
    }

    /// Fields whose value may be a relative reference.
    private static let fieldsWithURI: Set<String> = ["location", "content-location", "referer"]

    private func text(_ text: String, as syntax: SecretScan.Syntax) -> String {
        var found = Set<String>()
        let original = Array(text.utf8)
        let bytes = SecretScan.redact(original, as: syntax, names, found: &found)
        let result = replacer?.replace(in: bytes) ?? bytes
        return result == original ? text : String(decoding: result, as: UTF8.self)
    }

    // MARK: - Content

    /// Content without secrets.
    ///
    /// - Parameter type: The `Content-Type`; `nil` if it is not known.
    package func content(_ content: Data, type: String?) -> Data {
        var found = Set<String>()
        let bytes = scan(Array(content), type: type ?? "", found: &found)
        return Data(replacer.flatMap { Self.replace($0, in: bytes, type ?? "") } ?? bytes)
    }

    /// The content of a part of a form without secrets.
    package func part(_ content: Data, named name: String, type: String?) -> Data {
        isSecret(name) ? Data(Redaction.placeholder.utf8) : self.content(content, type: type)
    }

    /// Content without the secrets that have names or a known form.
    ///
    /// - Parameters:
    ///   - type: The `Content-Type`.
    ///   - found: Receives the values that were replaced.
    package func scan(_ content: [UInt8], type: String, found: inout Set<String>) -> [UInt8] {
        ContentRedaction(names: names).redact(content, type: type, found: &found)
    }

    /// The text without the secrets that have names or a known form.
    package func scan(_ text: String, isReference: Bool = false, found: inout Set<String>) -> String {
        let text = isReference ? hidingShortValues(inPathOf: text) : text
        let bytes = SecretScan.redact(Array(text.utf8), as: isReference ? .url : .text, names, found: &found)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Content without the known values; `nil` if it has none of them.
    package static func replace(_ secrets: SecretReplacer, in content: [UInt8], _ type: String) -> [UInt8]? {
        let isJSON = type.lowercased().contains("json") || JSONSearch.isLikely(content)
        return isJSON ? secrets.replace(inJSON: content) : secrets.replace(in: content)
    }

    // MARK: - Paths

    /// Replaces short values of variables: whole segments, or else wherever they are in the path.
    private func hidingShortValues(inPathOf reference: String) -> String {
        if shortPathValues.isEmpty { return reference }
        let pathEnd = reference.firstIndex { "?#".contains($0) } ?? reference.endIndex
        let origin = reference.firstRange(of: "://").map { reference[$0.upperBound...] } ?? reference[...]
        let start = origin.firstIndex(of: "/") ?? pathEnd
        guard start < pathEnd else { return reference }
        let encoded = Set(shortPathValues.map { PercentEncoding.encode($0) })
        var path = String(reference[start..<pathEnd])
        for value in encoded.sorted(by: { $0.count > $1.count }) { path = Self.hide(value, in: path) }
        return reference[..<start] + path + reference[pathEnd...]
    }

    private static func hide(_ value: String, in path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.contains(value[...]) else { return path.replacing(value, with: Redaction.placeholder) }
        return segments.map { $0 == value ? Redaction.placeholder[...] : $0 }.joined(separator: "/")
    }
}
