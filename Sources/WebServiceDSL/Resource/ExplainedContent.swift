// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Content in words: text as it is, with secrets replaced, and everything else described.
struct ExplainedContent {
    let contentType: String?
    let redactor: Redactor

    func text(of source: DraftContent) -> String {
        switch source {
        case .data(let data): text(of: redactor.content(data, type: contentType))
        case .file(let file): "(the file \(redactor.text(file.path)))"
        case .stream: "(a stream)"
        case .multipart(let form): form.parts.map(text).joined(separator: "\n")
        }
    }

    private func text(of data: Data) -> String {
        guard let text = String(data: data, encoding: .utf8) else { return "(\(data.count) bytes)" }
        return isJSON ? Self.sorted(text) ?? text : text
    }

    private var isJSON: Bool { contentType?.lowercased().contains("json") ?? false }

    /// JSON with its members in the order of their names; `nil` for text that is not JSON.
    private static func sorted(_ text: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
            return nil
        }
        let options: JSONSerialization.WritingOptions = [
            .sortedKeys, .prettyPrinted, .withoutEscapingSlashes, .fragmentsAllowed,
        ]
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(of part: MultipartForm.Part) -> String {
        let file = part.fileName.map { ", file name \($0)" } ?? ""
        let type = part.contentType.map { ", \($0)" } ?? ""
        let content = ExplainedContent(contentType: part.contentType, redactor: redactor).text(of: part.content)
        let text = redactor.isSecret(part.name) ? Redaction.placeholder : content
        return "part \(part.name)\(redactor.text(file))\(type): \(text)"
    }
}
