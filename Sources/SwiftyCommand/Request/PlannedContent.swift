// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The content of a planned request.
enum PlannedContent: Equatable, Sendable {
    struct Part: Equatable, Sendable {
        enum Content: Equatable, Sendable {
            case text(String)
            case file(String)
        }

        var name: String
        var content: Content
    }

    case text(String, mediaType: String)
    case data(Data, mediaType: String)
    case file(String, mediaType: String?)
    case input(InputSource, mediaType: String)
    case form([RequestPlan.Pair])
    case multipart([Part])

    func set(on resource: NetworkResourceWithBody) {
        switch self {
        case .text(let text, let mediaType): resource.text(text, contentType: mediaType)
        case .data(let data, let mediaType): resource.data(data, contentType: mediaType)
        case .file(let path, let mediaType): resource.file(path, contentType: mediaType)
        case .input(let source, let mediaType): source.set(on: resource, mediaType: mediaType)
        case .form(let fields):
            resource.text(FormContent.text(fields.map { ($0.name, $0.value) }), contentType: FormText.mediaType)
        case .multipart(let parts): for part in parts { part.add(to: resource) }
        }
    }

    /// Whether the content is read while it is sent, and may be large.
    var isStreamed: Bool {
        switch self {
        case .file, .input: true
        case .multipart(let parts): parts.contains { if case .file = $0.content { true } else { false } }
        case .text, .data, .form: false
        }
    }

    /// The content with its text changed; files and bytes are kept.
    func mapText(_ change: (String) -> String) -> PlannedContent {
        switch self {
        case .text(let text, let mediaType): .text(change(text), mediaType: mediaType)
        case .form(let fields): .form(fields.map { RequestPlan.Pair(name: $0.name, value: change($0.value)) })
        case .multipart(let parts): .multipart(parts.map { $0.mapText(change) })
        case .data, .file, .input: self
        }
    }
}

extension PlannedContent.Part {
    fileprivate func add(to resource: NetworkResourceWithBody) {
        switch content {
        case .text(let text): resource.multipart(name: name, value: text)
        case .file(let path): resource.multipart(name: name, file: path)
        }
    }

    fileprivate func mapText(_ change: (String) -> String) -> Self {
        guard case .text(let text) = content else { return self }
        return Self(name: name, content: .text(change(text)))
    }
}

extension InputSource {
    fileprivate func set(on resource: NetworkResourceWithBody, mediaType: String) {
        let length = length.map { Int64($0) }
        resource.stream(length: length, contentType: mediaType, isReplayable: isReplayable) { writer in
            try await self.write(to: writer)
        }
    }
}

/// Text as `application/x-www-form-urlencoded` content.
enum FormText {
    static let mediaType = "application/x-www-form-urlencoded"

    /// Whether text looks like an encoded form: pairs of `name=value`, joined with `&`, and no character that a form
    /// would encode.
    static func isForm(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
        guard isPlain, text.utf8.last != UInt8(ascii: "=") else { return false }
        return text.split(separator: "&", omittingEmptySubsequences: false).allSatisfy { pair in
            pair.firstIndex(of: "=").map { $0 > pair.startIndex } ?? false
        }
    }
}
