// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The content of a curl command.
struct CURLContent: Equatable {
    struct Part: Equatable {
        var name: String
        var value: PlannedContent.Part.Content
        var fileName: String?
        var mediaType: String?
    }

    /// The joined text of all data options.
    private(set) var text: String?
    /// The file that is the content, and whether it is uploaded with PUT.
    private(set) var file: String?
    private(set) var isUpload = false
    private(set) var parts: [Part] = []
    private(set) var isJSON = false
    /// Whether the data goes into the URL.
    var goesIntoQuery = false

    var isForm: Bool { !parts.isEmpty }

    /// Whether the request has content.
    var isSent: Bool { isForm || file != nil || text != nil && !goesIntoQuery }

    /// Adds the value of an option.
    ///
    /// - Returns: The effect of the option in curl that Swifty does not have; `nil` for none.
    mutating func add(_ value: String, by option: String) throws(UsageError) -> String? {
        var effect: String?
        switch option {
        case "upload-file":
            try setFile(value)
            isUpload = true
        case "form", "form-string":
            let part: Part
            (part, effect) = try Self.part(value, isLiteral: option == "form-string")
            parts.append(part)
        case "data-raw": join(value)
        case "data-urlencode": join(try Self.encoded(value))
        default:
            isJSON = isJSON || option == "json"
            if value.hasPrefix("@") {
                try setFile(String(value.dropFirst()))
            } else {
                join(value, isJSON: option == "json")
            }
            if value.hasPrefix("@"), option == "data" || option == "data-ascii" { effect = "the removal of line ends" }
        }
        if [text != nil, file != nil, isForm].count(where: \.self) > 1 {
            throw UsageError("The curl command has content of two kinds.")
        }
        if goesIntoQuery, file != nil {
            throw UsageError("The content of the file, which goes into the URL, is not known.")
        }
        return effect
    }

    private mutating func join(_ value: String, isJSON: Bool = false) {
        text = text.map { isJSON ? $0 + value : "\($0)&\(value)" } ?? value
    }

    private mutating func setFile(_ path: String) throws(UsageError) {
        if file != nil { throw UsageError("The curl command sends two files as one content.") }
        if ["-", ".", ""].contains(path) { throw UsageError("The standard input of curl is not known.") }
        file = path
    }

    /// The text of `content`, `=content` or `name=content` with the content encoded, and its spaces as `space`.
    static func encoded(_ text: String, space: String = "%20") throws(UsageError) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count < 2, text.contains("@") {
            throw UsageError("The file of \"\(text)\" is not known.", hint: "Write its text, as in name=text.")
        }
        let value = PercentEncoding.encode(parts[parts.count - 1]).replacing("%20", with: space)
        return parts.count == 2 && !parts[0].isEmpty ? "\(parts[0])=\(value)" : value
    }
}

extension CURLContent {
    /// The part for `name=text` or `name=@file`, followed by `;type=…` and `;filename=…`.
    static func part(_ text: String, isLiteral: Bool) throws(UsageError) -> (Part, effect: String?) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw UsageError("The form part \"\(text)\" has no name.")
        }
        let name = String(text[..<equals])
        let value = String(text[equals...].dropFirst())
        if isLiteral { return (Part(name: name, value: .text(value)), nil) }
        if value.hasPrefix("<") {
            throw UsageError("The text in the file of the part \"\(name)\" is not known.", hint: "Write -F name=text.")
        }
        let isFile = value.hasPrefix("@")
        let words = parameters(isFile ? String(value.dropFirst()) : value)
        var part = Part(name: name, value: isFile ? .file(words[0]) : .text(words[0]))
        if isFile, words[0] == "-" || words[0].contains(",") {
            throw UsageError("The files of the part \"\(name)\" cannot be carried over.", hint: "Name one file.")
        }
        var effects: [String] = []
        for word in words.dropFirst() {
            let pair = word.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch (pair.first ?? "", isFile) {
            case ("type", true): part.mediaType = pair.last
            case ("filename", true): part.fileName = pair.last
            default: effects.append(";\(word)")
            }
        }
        return (part, effects.isEmpty ? nil : effects.joined())
    }

    /// The words between semicolons, without quotes.
    private static func parameters(_ text: String) -> [String] {
        var words = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                words[words.count - 1].append(character)
                isEscaped = false
            } else if character == "\"", isQuoted || words.last?.isEmpty == true || words.last?.hasSuffix("=") == true {
                isQuoted.toggle()
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == ";", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
