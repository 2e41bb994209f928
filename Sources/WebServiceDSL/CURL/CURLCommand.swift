// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A draft as a command for the `curl` program.
struct CURLCommand {
    private let draft: RequestDraft
    /// `nil` shows secrets.
    private let redactor: Redactor?

    init(draft: RequestDraft, includesSecrets: Bool) {
        self.draft = draft
        redactor = includesSecrets ? nil : draft.redactor
    }

    var text: String {
        guard let target = draft.fullTarget, draft.creationError == nil else {
            let reason = draft.creationError?.description ?? "the request has no URL"
            return "# \(redactor?.text(reason) ?? reason)"
        }
        var words = ["curl"]
        switch draft.method {
        case .get: words += draft.content == nil ? [] : ["-X", ShellWord.quoted("GET")]
        case .head: words.append("--head")
        default: words += ["-X", ShellWord.quoted(draft.method.rawValue)]
        }
        words.append(ShellWord.quoted(redactor?.uri(target) ?? target.string))
        words += headerWords + contentWords
        return words.joined(separator: " ")
    }

    private var headerWords: [String] {
        var words: [String] = []
        for field in draft.headers {
            let name = field.name.rawName
            words += ["-H", header(name, redactor?.value(field.value, of: name) ?? field.value)]
        }
        if case .fixed(let key) = draft.idempotencyKey, !draft.headers.contains(.idempotencyKey) {
            let name = HTTPField.Name.idempotencyKey.rawName
            words += ["-H", header(name, redactor?.value(key, of: name) ?? key)]
        }
        if let body = draft.content, !draft.headers.contains(.contentType) { words += contentTypeWords(of: body) }
        // The fields that curl would add itself.
        for name in [HTTPField.Name.userAgent, .accept] where draft.removedHeaders.contains(name) {
            if !draft.headers.contains(name) { words += ["-H", ShellWord.quoted("\(name.rawName):")] }
        }
        return words
    }

    /// The `Content-Type` of the content. If it was removed, an option without a value keeps curl from adding its own.
    ///
    /// For a form, curl chooses the boundary itself and adds it.
    private func contentTypeWords(of body: DraftContent) -> [String] {
        if case .multipart = body { return [] }
        guard let contentType = draft.contentType else { return ["-H", ShellWord.quoted("Content-Type:")] }
        return ["-H", header("Content-Type", redactor?.text(contentType) ?? contentType)]
    }

    /// curl sends an empty field only if it is written with a semicolon.
    private func header(_ name: String, _ value: String) -> String {
        ShellWord.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    private var contentType: String? { draft.headers[.contentType] ?? draft.contentType }

    private var contentWords: [String] {
        switch draft.content {
        case nil: []
        case .data(let data): [data.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary", dataWord(data)]
        case .file(let file): ["--data-binary", ShellWord.quoted("@\(redactor?.text(file.path) ?? file.path)")]
        case .stream: ["--data-binary", "@-"]
        case .multipart(let form): form.parts.flatMap { ["-F", ShellWord.quoted(formWord($0))] }
        }
    }

    private func dataWord(_ data: Data) -> String {
        let data = redactor?.content(data, type: contentType) ?? data
        let isSpecial = data.contains(0)
        guard !isSpecial, let text = String(data: data, encoding: .utf8) else {
            // `$'…'` is understood by bash, zsh and ksh; bytes that are not text cannot be written in another way.
            return "$'" + data.map { String(format: "\\x%02x", $0) }.joined() + "'"
        }
        return ShellWord.quoted(text)
    }

    private func formWord(_ part: MultipartForm.Part) -> String {
        let type = part.contentType.map { ";type=\($0)" } ?? ""
        let fileName = part.fileName.map { ";filename=\(formValue($0))" } ?? ""
        let headers = part.headers.sorted { $0.key < $1.key }.map(formHeader).joined()
        switch part.content {
        case .file(let file): return "\(part.name)=@\(formValue(file.path))\(fileName)\(type)\(headers)"
        case .data(let data):
            let content = redactor?.part(data, named: part.name, type: part.contentType) ?? data
            let text = String(decoding: content, as: UTF8.self)
            return "\(part.name)=\(formValue(text))\(fileName)\(type)\(headers)"
        case .stream, .multipart: return "\(part.name)=@-\(fileName)\(type)\(headers)"
        }
    }

    private func formHeader(_ name: String, _ value: String) -> String {
        ";headers=" + formValue("\(name): \(redactor?.value(value, of: name) ?? value)")
    }

    /// A value of `-F`, in double quotes where curl would read a file's name (`@`, `<`), a subform (`(`, `=)`), or the
    /// end of the value.
    private func formValue(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isSpecial = scalars.contains { ";,\"\\".unicodeScalars.contains($0) }
        if !isSpecial, !(scalars.first.map { "@<(= \t".unicodeScalars.contains($0) } ?? false) { return text }
        return "\"" + text.replacingScalars(["\\": "\\\\", "\"": "\\\""]) + "\""
    }
}

extension ModifiableResource {
    /// The request as a `curl` command, quoted for a shell, with secrets replaced: see the list in Docs/Secrets.md.
    public var cURLDescription: String { cURLDescription(includingSecrets: false) }

    /// The request as a `curl` command, quoted for a shell.
    ///
    /// - Parameter includingSecrets: Whether secrets are shown, so that the command can be run.
    public func cURLDescription(includingSecrets: Bool) -> String {
        CURLCommand(draft: draft, includesSecrets: includingSecrets).text
    }
}
