// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// A readable preview of a load: what it would send, and which stages it would pass.
///
/// The ``description`` is stable: it contains no date, no random value and no secret, and the members of JSON content
/// are sorted. It suits a snapshot test:
///
///     #expect(try await GitHub.repositories(of: "apple").explain().description == """
///         GET https://api.github.com/users/apple/repos?sort=pushed
///         accept-encoding: gzip, deflate
///
///         1. transport: CurlTransport
///         2. redirects: at most 20
///         3. accepted statuses: 200 to 299
///
///         """)
public struct RequestExplanation: Sendable, CustomStringConvertible {
    /// The method and the URL, with secrets replaced: `GET https://api.github.com/user`.
    public let requestLine: String
    /// The header fields that the request has before it goes to the transport, each as `name: value`.
    public let fields: [String]
    /// The content as text; `nil` without content. A file, a stream and bytes that are not UTF-8 are described.
    public let content: String?
    /// The stages of the load, in their order.
    public var stages: [String]

    /// The text of all parts, which ends with a line break.
    public var description: String {
        var parts = [([requestLine] + fields).joined(separator: "\n")]
        if let content { parts.append(content) }
        if !stages.isEmpty {
            parts.append(stages.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }
}

extension RequestExplanation {
    /// Explains a draft; no content is opened.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - completing: Adds what the network interface adds to a request.
    ///   - stages: The stages of the load.
    /// - Throws: The error with which a load of the draft fails before anything is sent.
    package init(
        _ draft: RequestDraft,
        stages: [String],
        completing: (inout NetworkRequest) throws(SwiftyError) -> Void
    ) async throws(SwiftyError) {
        var request = try await draft.withoutContent.makeRequest()
        try completing(&request)
        let redactor = request.redactor
        requestLine = "\(request.method.rawValue) \(redactor.uri(request.target))"
        fields = request.headers.map { field in
            let value = Self.withoutBoundary(redactor.value(field.value, of: field.name.rawName))
            return "\(field.name.rawName.lowercased()): \(value)"
        }
        let contentType = request.headers[.contentType]
        content = draft.content.map { ExplainedContent(contentType: contentType, redactor: redactor).text(of: $0) }
        self.stages = stages.map(redactor.text)
    }

    /// The boundary of a multipart form is random.
    private static func withoutBoundary(_ value: String) -> String {
        guard value.lowercased().hasPrefix("multipart/"), let range = value.firstRange(of: "boundary=") else {
            return value
        }
        return value[..<range.upperBound] + "(random)"
    }
}

extension RequestDraft {
    /// The draft with empty content in place of the real one, since only its presence counts.
    fileprivate var withoutContent: RequestDraft {
        var draft = self
        if content != nil { draft.content = .data(Data()) }
        draft.headers[.contentLength] = nil
        return draft.withExplainedKey
    }

    /// The draft with an explanation in place of an idempotency key that is random.
    package var withExplainedKey: RequestDraft {
        guard idempotencyKey == .newForEachLoad else { return self }
        var draft = self
        draft.idempotencyKey = .fixed("(new for each load)")
        return draft
    }
}
