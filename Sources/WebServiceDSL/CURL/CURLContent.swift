// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The content of a curl command.
package struct CURLContent: Equatable {
    /// The options that are, or add to, the content.
    static let options: Set<String> = [
        "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form", "form-string",
        "upload-file",
    ]
    /// The options whose values may have ``UndecodedBytes``.
    static let binaryOptions: Set<String> = ["data", "data-ascii", "data-raw", "data-binary", "json"]

    /// The joined text of all data options, which may have ``UndecodedBytes``.
    package private(set) var text: String?
    /// The file that is the content, and whether it is uploaded with PUT.
    package private(set) var file: String?
    package private(set) var isUpload = false
    package private(set) var parts: [Part] = []
    package private(set) var isJSON = false
    /// Whether the data goes into the URL.
    package internal(set) var goesIntoQuery = false

    package var isForm: Bool { !parts.isEmpty }

    /// Whether the request has content.
    package var isSent: Bool { isForm || file != nil || text != nil && !goesIntoQuery }

    /// Whether a part has a parameter that is not known.
    var hasUnknownParameter: Bool { parts.contains(where: \.hasUnknownParameter) }

    /// Adds the value of an option.
    ///
    /// - Returns: The effect of the option in curl that Swifty does not have; `nil` for none.
    mutating func add(_ value: String, by option: String) throws(CURLError) -> String? {
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
        default: effect = try addData(value, by: option)
        }
        if [text != nil, file != nil, isForm].count(where: \.self) > 1 {
            throw CURLError("The curl command has content of two kinds.")
        }
        return effect
    }

    private mutating func addData(_ value: String, by option: String) throws(CURLError) -> String? {
        isJSON = isJSON || option == "json"
        guard value.utf8.first == UInt8(ascii: "@") else {
            join(value, isJSON: option == "json")
            return nil
        }
        try setFile(String(value.dropFirst()))
        return option == "data" || option == "data-ascii" ? "the removal of line ends" : nil
    }

    private mutating func join(_ value: String, isJSON: Bool = false) {
        if text == nil {
            text = value
        } else {
            text?.append(isJSON ? value : "&\(value)")
        }
    }

    private mutating func setFile(_ path: String) throws(CURLError) {
        if file != nil { throw CURLError("The curl command sends two files as one content.") }
        if ["-", ".", ""].contains(path) { throw CURLError("The standard input of curl is not known.") }
        if UndecodedBytes.areIn(path) { throw CURLError("The name of the file is not text.") }
        file = path
    }

    /// Checks what depends on several options.
    func finish() throws(CURLError) {
        if goesIntoQuery, file != nil {
            throw CURLError("The content of the file, which goes into the URL, is not known.")
        }
        if goesIntoQuery, let text, UndecodedBytes.areIn(text) {
            throw CURLError("The content, which goes into the URL, is not text.")
        }
    }

    /// The text of `content`, `=content` or `name=content` with the content encoded, and its spaces as `space`.
    package static func encoded(_ text: String, space: String = "%20") throws(CURLError) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count < 2, text.contains("@") {
            throw CURLError(
                "The file of \"\(text)\" is not known.",
                hint: "Write its text, as in name=text.",
                reason: "a value without \"=\" has a \"@\", which would be the name of a file; write name=text"
            )
        }
        let value = PercentEncoding.encode(parts[parts.count - 1]).replacing("%20", with: space)
        return parts.count == 2 && !parts[0].isEmpty ? "\(parts[0])=\(value)" : value
    }
}
