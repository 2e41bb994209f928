// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

extension SwiftyError {
    /// The error of content that a format does not accept.
    ///
    /// - Parameters:
    ///   - fact: What the content is not; the position where the decoder stopped follows it.
    ///   - content: The content.
    ///   - format: The format.
    ///   - redactor: Keeps the value out of the error if it is secret.
    static func undecodable(
        _ fact: String,
        _ cause: any Error,
        in content: Data,
        format: any ContentFormat,
        redactor: Redactor = Redactor()
    ) -> SwiftyError {
        let explanation = (cause as? DecodingError).map { error in
            UndecodableValue(error, in: content, format: format, redactor: redactor).description
        }
        return SwiftyError(
            .decodingFailed,
            stage: .decoding,
            sent: .responded,
            reason: "\(fact): \(explanation ?? String(describing: cause))",
            underlying: cause
        )
    }
}

/// The value at which a decoder stopped: its place, what was expected there and what was found.
///
///     items[3].price: expected a number, found "12,50"
struct UndecodableValue: CustomStringConvertible {
    private let error: DecodingError
    /// The content, if it is JSON.
    private let content: JSONTree?
    /// Where JSON content is not JSON; `nil` if it is, or in another format.
    private let mistake: String?
    private let redactor: Redactor

    init(_ error: DecodingError, in content: Data, format: any ContentFormat, redactor: Redactor) {
        self.error = error
        self.redactor = redactor
        self.content = format is JSONFormat ? JSONTree(content) : nil
        if case .dataCorrupted = error, format is JSONFormat {
            mistake = Self.mistake(in: content)
        } else {
            mistake = nil
        }
    }

    var description: String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(Self.place(of: context.codingPath + [key])): no such value\(otherName(of: key, context))"
        case .valueNotFound(let type, let context):
            "\(Self.place(of: context.codingPath)): expected \(Self.name(of: type)), found null"
        case .typeMismatch(let type, let context):
            mismatch(Self.name(of: type), context, hint: dateHint(type, context))
        case .dataCorrupted(let context) where mistake != nil || content == nil:
            mistake ?? context.debugDescription
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // The decoder does not say which value.
            "a number does not fit its type"
        case .dataCorrupted(let context):
            mismatch(nil, context, hint: " (\(context.debugDescription))")
        @unknown default:
            String(describing: error)
        }
    }

    private func mismatch(_ expected: String?, _ context: DecodingError.Context, hint: String) -> String {
        let found = content?.value(at: context.codingPath).map { value in
            context.codingPath.contains { redactor.isSecret($0.stringValue) }
                ? Redaction.placeholder : redactor.text(Self.text(of: value))
        }
        let facts = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        return "\(Self.place(of: context.codingPath)): \(facts.joined(separator: ", "))\(hint)"
    }

    /// The line and the column of the first byte that is not JSON; `nil` if all is JSON.
    private static func mistake(in content: Data) -> String? {
        guard content.count <= JSONTree.sizeLimit else { return nil }
        let bytes = Array(content)
        var scanner = JSONScanner(bytes[...])
        guard let offset = scanner.firstMistake() else { return nil }
        let before = bytes[..<offset]
        let start = before.lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        let place = "line \(before.count { $0 == .lineFeed } + 1), column \(offset - start + 1)"
        return offset == bytes.count ? "the JSON ends early, in \(place)" : "\(place) is not JSON"
    }
}

// MARK: - Hints

extension UndecodableValue {
    /// The name in the content that differs from the missing one only by its style; empty if there is none.
    private func otherName(of key: any CodingKey, _ context: DecodingError.Context) -> String {
        guard case .object(let members)? = content?.value(at: context.codingPath) else { return "" }
        let name = Self.letters(of: key.stringValue)
        guard let other = members.keys.sorted().first(where: { Self.letters(of: $0) == name }) else { return "" }
        let isSnakeCase = QueryEncoding.KeyStyle.snakeCase.text(of: key.stringValue) == other
        let hint = isSnakeCase ? " (the keyStyle .snakeCase of a service reads it)" : ""
        return ", but one for \"\(other)\"\(hint)"
    }

    /// A name without what differs between styles.
    private static func letters(of name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// A plain decoder takes a date for a number of seconds since 2001.
    private func dateHint(_ type: any Any.Type, _ context: DecodingError.Context) -> String {
        guard type == Double.self, case .string(let text)? = content?.value(at: context.codingPath),
            (try? Date(text, strategy: .iso8601)) != nil
        else { return "" }
        return " (a format with the dates .iso8601 reads it as a date)"
    }
}

// MARK: - Words

extension UndecodableValue {
    /// `items[3].price`.
    private static func place(of path: [any CodingKey]) -> String {
        if path.isEmpty { return "the whole content" }
        return path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }

    /// The value that a type is decoded from, in JSON's words.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "an integer"
        case is any BinaryFloatingPoint.Type, is Decimal.Type: "a number"
        case is [Any].Type, is any UnkeyedDecodingContainer.Type: "an array"
        case is [String: Any].Type: "an object"
        default: "\(type)".hasPrefix("Dictionary<") ? "an object" : "\(type)"
        }
    }

    /// The beginning of a value that is short enough for an error.
    private static func text(of value: JSONTree.Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}
