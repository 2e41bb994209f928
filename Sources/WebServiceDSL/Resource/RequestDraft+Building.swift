// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension RequestDraft {
    /// Whether a request with this method may carry content.
    public var allowsContent: Bool {
        switch method {
        case .get, .options: isContentAllowed
        case .head, .trace: false
        default: true
        }
    }

    /// The error of content that the method does not allow.
    var contentError: SwiftyError? {
        guard content != nil, !allowsContent else { return nil }
        let reason = "a \(method.rawValue) request carries no content; use post, put or patch"
        return SwiftyError(.contentNotAllowed, stage: .building, reason: reason)
    }

    mutating func setContent(_ content: DraftContent, contentType: String?) {
        if let contentType, !HTTPField.isValidValue(contentType) {
            fail(.invalidHeader, "the media type of the content contains a control character")
        }
        self.content = content
        self.contentType = contentType
    }

    mutating func addQuery(_ encoded: String) {
        if !query.isEmpty, !encoded.isEmpty { query += "&" }
        query += encoded
    }

    /// The target with the parameters that `query` added; `nil` if the URL is invalid.
    public var fullTarget: TargetURI? {
        query.isEmpty ? target : target?.adding(query: query)
    }

    /// The summary of the request for errors and logs.
    public var summary: NetworkRequest.Summary {
        let redactor = redactor
        return NetworkRequest.Summary(
            method: method.rawValue,
            url: fullTarget.map { redactor.uri($0) } ?? redactor.reference(template),
            template: redactor.reference(template),
            name: name,
            secrets: secrets
        )
    }
}

extension RequestDraft {
    /// Whether freezing must open a file first, which may wait.
    package var hasContentToOpen: Bool { content?.mayWait ?? false }

    /// Whether the content can be read only once, and was: no further attempt can send it.
    package var hasUsedUpContent: Bool { content?.isUsedUp ?? false }

    /// The draft of one load: the attempts of that load are compared where the content is produced each time.
    package func forLoad() -> RequestDraft {
        guard let content, content.hasStream else { return self }
        var draft = self
        draft.content = content.forLoad()
        return draft
    }

    /// The draft of a load that no caller waits for: without progress, limits of rate and work on its response.
    package func forBackground() -> RequestDraft {
        var draft = self
        (draft.transfer, draft.preparation, draft.priority) = (nil, nil, .low)
        return draft
    }

    /// Freezes the draft into the request that goes to a transport.
    ///
    /// Content that is a file, a stream or a multipart form of such parts becomes a source of the request, new
    /// with each call; a file is opened on a Dispatch queue.
    ///
    /// - Parameter defaultTimeouts: The time limits where the request sets none.
    /// - Throws: ``SwiftyError``, with its `request` set: the ``creationError``,
    ///   ``SwiftyError/Code/contentUnreadable``, ``SwiftyError/Code/contentNotReplayable`` for content that can be read
    ///   only once and was, or ``SwiftyError/Code/invalidHeader`` for header fields that contradict the framing.
    public func makeRequest(
        defaultTimeouts: NetworkRequest.Timeouts = NetworkRequest.Timeouts()
    ) async throws(SwiftyError) -> NetworkRequest {
        do throws(SwiftyError) {
            if let creationError { throw creationError }
            guard let target = fullTarget else {
                throw SwiftyError(.invalidURL, stage: .building, reason: "the request has no URL")
            }
            let content = try await content?.open() ?? .none
            var request = NetworkRequest(
                method: method,
                target: target,
                headers: try wireHeaders(content),
                content: content,
                timeouts: timeouts(over: defaultTimeouts),
                priority: priority,
                template: template,
                name: name
            )
            if !removedHeaders.isEmpty { request.removedHeaders = removedHeaders }
            if isWithoutSecrets { request.isWithoutSecrets = true }
            if let secrets { request.secrets = secrets }
            return request
        } catch {
            var error = error
            error.request = summary
            throw error
        }
    }

    /// The header fields to send, with the type of the content, and without framing, which is left to the transport.
    private func wireHeaders(_ content: NetworkRequest.Content) throws(SwiftyError) -> HTTPFields {
        var headers = self.headers
        // Including those that a request interceptor has added.
        if isWithoutSecrets { headers = headers.withoutSecrets }
        try Self.refuseFraming(headers)
        if headers.contains(.contentLength) {
            try Self.checkLength(headers[values: .contentLength], content.length)
            headers[.contentLength] = nil
        }
        if case .fixed(let key) = idempotencyKey { headers[.idempotencyKey] = key }
        if let contentType, !content.isNone, !headers.contains(.contentType) {
            headers[.contentType] = contentType
        }
        return headers
    }

    /// Refuses a `Host` that is not one host, and `Transfer-Encoding`: the transport frames the message (RFC 9112 §6).
    private static func refuseFraming(_ headers: HTTPFields) throws(SwiftyError) {
        if headers.contains(.transferEncoding) {
            throw framingError("the transport sets Transfer-Encoding; remove it from the request")
        }
        guard headers.contains(.host) else { return }
        let hosts = headers[values: .host]
        if hosts.count > 1 { throw framingError("the request has more than one Host") }
        if let host = hosts.first, !HostName.isHostField(host) {
            throw framingError("the value of Host is not a host with an optional port")
        }
    }

    /// Refuses a `Content-Length` that is not the length of the content, or if that length is unknown.
    private static func checkLength(_ lengths: [String], _ contentLength: Int?) throws(SwiftyError) {
        let isDecimal = lengths.count == 1 && lengths[0].utf8.isDecimal
        if isDecimal, let contentLength, Int(lengths[0]) == contentLength { return }
        let fact = contentLength.map { "the content has \($0) bytes" } ?? "its length is not known"
        throw framingError("the transport sets Content-Length; the request says \(lengths), but \(fact)")
    }

    private static func framingError(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}
