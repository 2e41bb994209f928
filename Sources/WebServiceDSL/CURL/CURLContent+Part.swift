// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CURLContent {
    /// A part of a form.
    package struct Part: Equatable {
        package enum Value: Equatable {
            case text(String)
            case file(String)
        }

        package let name: String
        package let value: Value
        package fileprivate(set) var fileName: String?
        package fileprivate(set) var mediaType: String?
        /// The values of `headers=`: fields as text.
        private(set) var fields: [String] = []
        /// Whether it has a parameter that is not known.
        private(set) var hasUnknownParameter = false

        init(name: String, value: Value) {
            self.name = name
            self.value = value
        }

        var isFile: Bool { if case .file = value { true } else { false } }
    }

    /// The part for `name=text` or `name=@file`, followed by `;type=…` and `;filename=…`.
    ///
    /// - Returns: The part, and the parameters without a counterpart in `swifty`.
    package static func part(_ text: String, isLiteral: Bool) throws(CURLError) -> (Part, effect: String?) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw CURLError("The form part \"\(text)\" has no name.", reason: "a part of -F has no name")
        }
        let name = String(text[..<equals])
        let value = String(text[equals...].dropFirst())
        if isLiteral { return (Part(name: name, value: .text(value)), nil) }
        if value.hasPrefix("<") {
            throw CURLError(
                "The text in the file of the part \"\(name)\" is not known.",
                hint: "Write -F name=text.",
                reason: "a part of -F is the text in a file; write -F name=text, or name=@file"
            )
        }
        let isFile = value.utf8.first == UInt8(ascii: "@")
        let words = parameters(isFile ? String(value.dropFirst()) : value)
        if isFile, words[0] == "-" || words[0].contains(",") {
            throw CURLError(
                "The files of the part \"\(name)\" cannot be carried over.",
                hint: "Name one file.",
                reason: "a part of -F has several files, or standard input"
            )
        }
        var part = Part(name: name, value: isFile ? .file(words[0]) : .text(words[0]))
        let effects = words.dropFirst().filter { !part.set($0) || !isFile }.map { ";\($0)" }
        return (part, effects.isEmpty ? nil : effects.joined())
    }

    /// The words between semicolons, without quotes.
    private static func parameters(_ text: String) -> [String] {
        var words = [String.UnicodeScalarView()]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            let last = words.count - 1
            if isEscaped {
                words[last].append(scalar)
                isEscaped = false
            } else if scalar == "\"", isQuoted || words[last].isEmpty || words[last].last == "=" {
                isQuoted.toggle()
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            } else if scalar == ";", !isQuoted {
                words.append(String.UnicodeScalarView())
            } else {
                words[last].append(scalar)
            }
        }
        return words.map { String($0) }
    }
}

extension CURLContent.Part {
    /// Sets a parameter. Returns `false` for one that a file of `swifty` cannot have.
    ///
    /// What follows a media type and is not known belongs to it: `;type=text/csv; charset=utf-8`.
    fileprivate mutating func set(_ word: String) -> Bool {
        let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let value = pair.count == 2 ? pair[1] : ""
        switch pair.count == 2 ? pair[0] : "" {
        case "type": mediaType = value
        case "filename": fileName = value
        case "headers" where !value.hasPrefix("@"):
            fields.append(value)
            return false
        case let name where mediaType != nil && !["encoder", "headers"].contains(name): mediaType?.append(";\(word)")
        default:
            hasUnknownParameter = true
            return false
        }
        return true
    }
}
