// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Determines the content of a request from its items and options.
struct ContentPlanner {
    /// The encoding of fields.
    enum Mode: Equatable {
        case json
        case form
        case multipart
    }

    /// The requested mode; `nil` for JSON, or multipart if a file is uploaded.
    var mode: Mode?
    /// The argument of `--data`.
    var data: String?
    /// Whether ``data`` is text even if it begins with `@`, which otherwise names a file.
    var isLiteral = false
    /// Whether `{n}` is later replaced with the number of each load, as by `bench`; otherwise it is text.
    var isNumbered = false
    /// Standard input, if it is the content: all of it, or its beginning if there is a source.
    var input: Data?
    /// The source of standard input that is sent while it is read; `nil` if all of it is in memory.
    var source: InputSource?
    /// Reads a file that an item names.
    var read: (String) throws -> Data = { try Data(contentsOf: URL(fileURLWithPath: $0)) }

    /// The content of a request with these items; `nil` if it has none.
    func content(of items: [RequestItem]) throws(UsageError) -> PlannedContent? {
        let fields = items.filter(\.isContent)
        let sources = [data != nil, input != nil, !fields.isEmpty].count { $0 }
        if sources > 1 {
            throw UsageError("The content is given twice.", hint: "Use only one of items, --data and standard input.")
        }
        if mode == .multipart, data != nil || input != nil {
            throw UsageError("--multipart sends only items.", hint: "Write field=value and field@file.")
        }
        if let data { return planned(data: data) }
        if let input { return planned(input: input) }
        return fields.isEmpty ? nil : try planned(fields)
    }

    private func planned(data: String) -> PlannedContent {
        if data.hasPrefix("@"), !isLiteral { return .file(String(data.dropFirst()), mediaType: mediaType) }
        return .text(data, mediaType: mediaType ?? Self.guessMediaType(of: sample(of: data).utf8))
    }

    private func planned(input: Data) -> PlannedContent {
        guard let source else { return .data(input, mediaType: mediaType ?? Self.guessMediaType(of: input)) }
        return .input(source, mediaType: mediaType ?? Self.guessMediaType(ofBeginning: input))
    }

    /// The media type that an option requests for the whole content; `nil` without one.
    private var mediaType: String? {
        switch mode {
        case .json: "application/json"
        case .form: FormText.mediaType
        case .multipart, nil: nil
        }
    }

    /// The text with a number in place of each `{n}`, if that is what will be sent.
    private func sample(of text: String) -> String {
        isNumbered ? text.replacing("{n}", with: "0") : text
    }

    private static func guessMediaType(of bytes: some Collection<UInt8>) -> String {
        let first = bytes.first { !$0.isSpaceTabOrLineEnd }
        if let first, "{[".utf8.contains(first), JSONText(bytes) != nil { return "application/json" }
        guard let text = String(validating: bytes, as: UTF8.self) else { return "application/octet-stream" }
        return FormText.isForm(text) ? FormText.mediaType : "text/plain; charset=utf-8"
    }

    /// The media type of content of which only the beginning is known.
    private static func guessMediaType(ofBeginning beginning: Data) -> String {
        let first = beginning.first { !$0.isSpaceTabOrLineEnd }
        if let first, "{[".utf8.contains(first) {
            // If the first line is a whole value, others probably follow it: JSON Lines, which are not one value.
            let line = beginning.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? beginning
            if line.count == beginning.count || JSONText(line) == nil { return "application/json" }
        }
        // The beginning may end within a character of up to four bytes.
        let isText = (0...3).contains { String(validating: beginning.dropLast($0), as: UTF8.self) != nil }
        return isText && !beginning.contains(0) ? "text/plain; charset=utf-8" : "application/octet-stream"
    }

    private func planned(_ fields: [RequestItem]) throws(UsageError) -> PlannedContent {
        let hasUpload = fields.contains { if case .upload = $0 { true } else { false } }
        switch mode ?? (hasUpload ? .multipart : .json) {
        case .form where !hasUpload: return .form(try fields.map { item throws(UsageError) in try pair(item) })
        case .form, .multipart: return .multipart(try fields.map { item throws(UsageError) in try part(item) })
        case .json:
            if hasUpload { throw UsageError("--json sends no files.", hint: "Use --multipart, or field=@file.") }
            return .text(try json(fields).text, mediaType: "application/json")
        }
    }
}

extension ContentPlanner {
    private func part(_ item: RequestItem) throws(UsageError) -> PlannedContent.Part {
        if case .upload(let name, let path) = item { return .init(name: name.text, content: .file(path)) }
        let pair = try pair(item)
        return .init(name: pair.name, content: .text(pair.value))
    }

    private func pair(_ item: RequestItem) throws(UsageError) -> RequestPlan.Pair {
        // Not reached: `part` handles uploads, and other items without a field are not content.
        guard let field = try field(item) else { return .init(name: "", value: "") }
        if field.name.text.isEmpty { throw UsageError("An item has no name.", hint: "Only JSON has empty names.") }
        return .init(name: field.name.text, value: field.value)
    }

    /// The name and the text of a field, read from its file if it names one; `nil` for an upload, and for an item that
    /// is not content.
    private func field(_ item: RequestItem) throws(UsageError) -> (name: FieldName, value: String)? {
        switch item {
        case .text(let name, let value), .json(let name, let value): (name, value)
        case .textFile(let name, let path), .jsonFile(let name, let path): (name, try text(path))
        case .header, .removal, .query, .upload: nil
        }
    }

    private func json(_ items: [RequestItem]) throws(UsageError) -> JSONOutput {
        var content = NestedJSON()
        for item in items {
            guard let (name, text) = try field(item) else { continue }
            try content.set(FieldPath(name.path), to: try value(text, of: item, name.text))
        }
        return content.json
    }

    private func value(_ text: String, of item: RequestItem, _ name: String) throws(UsageError) -> JSONOutput {
        switch item {
        case .json, .jsonFile:
            let sample = sample(of: text)
            guard let json = JSONText(sample.utf8) else {
                throw UsageError(
                    "The value of \"\(name)\" is not JSON.",
                    hint: "Use \(name)=… for text, and quote JSON strings: \(name):='\"…\"'."
                )
            }
            return .verbatim(sample == text ? json.formatted(isIndented: false) : text)
        default: return .string(text)
        }
    }

    private func text(_ path: String) throws(UsageError) -> String {
        guard let data = try? read(path) else { throw UsageError.unreadable(path) }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw UsageError("The file \(path) is not UTF-8.", hint: "name@\(path) uploads its bytes.")
        }
        return text
    }
}

extension RequestItem {
    var isContent: Bool {
        switch self {
        case .header, .removal, .query: false
        case .text, .json, .textFile, .jsonFile, .upload: true
        }
    }
}
