// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The content of a curl command that is to be sent: all of its data options together.
struct CURLData {
    static let options: Set<String> = [
        "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form", "form-string",
    ]

    private enum Piece {
        case text(String)
        /// A file, and whether its line ends are removed.
        case file(String, joinsLines: Bool)
    }

    private var pieces: [(piece: Piece, isJSON: Bool)] = []
    /// The parts of a form, as items.
    private(set) var items: [String] = []

    /// Whether the request has content.
    var isSent: Bool { !pieces.isEmpty || !items.isEmpty }

    /// Whether the content is standard input.
    var readsInput: Bool {
        pieces.contains { if case .file("-", _) = $0.piece { true } else { false } }
    }

    mutating func add(_ value: String, by option: String) throws(UsageError) {
        let isFile = value.hasPrefix("@")
        let path = String(value.dropFirst())
        switch option {
        case "form", "form-string": items.append(try Self.item(value, isLiteral: option == "form-string"))
        case "data-raw": pieces.append((.text(value), false))
        case "data-urlencode": pieces.append((.text(try Self.encoded(value)), false))
        default:
            let joinsLines = option == "data" || option == "data-ascii"
            pieces.append((isFile ? .file(path, joinsLines: joinsLines) : .text(value), option == "json"))
        }
        if !items.isEmpty, !pieces.isEmpty { throw UsageError("The curl command has content of two kinds.") }
    }

    /// The options of `send` for the content.
    func arguments() throws(UsageError) -> [String] {
        if !items.isEmpty { return ["--multipart"] }
        if pieces.isEmpty { return [] }
        let type = pieces.contains(where: \.isJSON) ? "--json" : "--form"
        if case .file(let path, let joinsLines) = pieces[0].piece, pieces.count == 1, path == "-" || !joinsLines {
            return [type, "--data=@\(path)"]
        }
        return [type, "--data-raw", try text()]
    }

    /// The pieces, joined with `&`; those of `--json` follow the piece before them directly.
    func text() throws(UsageError) -> String {
        var text = ""
        for (index, (piece, isJSON)) in pieces.enumerated() {
            if index > 0, !isJSON { text += "&" }
            text += try Self.text(of: piece)
        }
        return text
    }

    private static func text(of piece: Piece) throws(UsageError) -> String {
        switch piece {
        case .text(let text): return text
        case .file(let path, let joinsLines):
            let text = try text(ofFile: path)
            return joinsLines ? String(text.unicodeScalars.filter { !"\r\n\0".unicodeScalars.contains($0) }) : text
        }
    }

    private static func text(ofFile path: String) throws(UsageError) -> String {
        if path == "-" { throw UsageError("Standard input is only a part of the content.", hint: "Send it alone.") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError.unreadable(path)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw UsageError("The file \(path) is not text.", hint: "Send it alone, with --data-binary @\(path).")
        }
        return text
    }

    /// The text of `content`, `=content`, `name=content`, `@file` or `name@file`, its content encoded as in a form.
    static func encoded(_ value: String) throws(UsageError) -> String {
        guard value.firstIndex(of: "=") == nil, let mark = value.firstIndex(of: "@") else {
            return try UsageError.wrapping { () throws(CURLError) in try CURLContent.encoded(value, space: "+") }
        }
        let path = String(value[mark...].dropFirst())
        let content = PercentEncoding.encode(try text(ofFile: path)).replacing("%20", with: "+")
        return mark == value.startIndex ? content : "\(value[..<mark])=\(content)"
    }

    /// The item for `name=text`, `name=@file` or `name=<file`.
    private static func item(_ value: String, isLiteral: Bool) throws(UsageError) -> String {
        if !isLiteral, let equals = value.firstIndex(of: "="), value[equals...].hasPrefix("=<") {
            return "\(CURLItem.escapedName(value[..<equals]))=@\(value[equals...].dropFirst(2))"
        }
        let (part, effect) = try UsageError.wrapping { () throws(CURLError) in
            try CURLContent.part(value, isLiteral: isLiteral)
        }
        if let effect { throw UsageError("The part \"\(value)\" has \(effect), which is not sent here.") }
        let name = CURLItem.escapedName(part.name)
        switch part.value {
        case .text(let text): return "\(name)=\(CURLItem.escapedValue(text))"
        case .file(let path):
            if part.fileName == nil, part.mediaType == nil { return "\(name)@\(path)" }
            throw UsageError("A part has a file name or a type of its own.", hint: "Send -F name=@FILE alone.")
        }
    }
}
