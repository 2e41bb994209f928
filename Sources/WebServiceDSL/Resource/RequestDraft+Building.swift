// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft {
    /// Whether a request with this method may carry a body.
    public var allowsBody: Bool {
        switch method {
        case .get, .head, .options, .trace: false
        default: true
        }
    }

    mutating func setBody(_ body: BodySource, contentType: String?) {
        guard allowsBody else {
            fail(.bodyNotAllowed, "a \(method.rawValue) request carries no body; use post, put or patch")
            return
        }
        if let contentType, !HTTPField.isValidValue(contentType) {
            fail(.invalidHeader, "the media type of the body contains a control character")
        }
        self.body = body
        self.bodyContentType = contentType
    }

    mutating func addQuery(_ encoded: String) {
        if !query.isEmpty, !encoded.isEmpty { query += "&" }
        query += encoded
    }

    /// The target with the parameters that `query` added; `nil` if the request could not be built.
    public var fullTarget: TargetURI? {
        query.isEmpty ? target : target?.adding(query: query)
    }

    /// What errors and logs say about the request.
    public var summary: NetworkRequest.Summary {
        NetworkRequest.Summary(
            method: method.rawValue,
            url: fullTarget.map(Redaction.redact) ?? template,
            template: template,
            name: name
        )
    }
}

extension RequestDraft {
    /// Whether the content lies in a file or comes from a stream, so that freezing has to wait for it.
    package var hasContentToRead: Bool {
        if let body { !body.isInMemory } else { false }
    }

    /// Freezes the draft into the request that goes to a transport.
    ///
    /// Reads bodies that are files, streams or multipart forms into memory; what blocks runs on a Dispatch queue.
    ///
    /// - Parameter defaultTimeouts: the limits where the request has none of its own.
    /// - Throws: the draft's ``creationError``, or what is found wrong only now, as ``SwiftyError``; the error's
    ///   `request` is set.
    public func makeRequest(
        defaultTimeouts: NetworkRequest.Timeouts = NetworkRequest.Timeouts()
    ) async throws(SwiftyError) -> NetworkRequest {
        do throws(SwiftyError) {
            if let creationError { throw creationError }
            guard let target = fullTarget else {
                throw SwiftyError(.invalidURL, stage: .building, reason: "the request has no URL")
            }
            let body = try await self.body?.read()
            var request = NetworkRequest(
                method: method,
                target: target,
                headers: try wireHeaders(bodyLength: body?.count),
                body: body,
                timeouts: timeouts.merging(defaultTimeouts),
                priority: priority,
                template: template,
                name: name
            )
            if !removedHeaders.isEmpty { request.removedHeaders = removedHeaders }
            return request
        } catch {
            var error = error
            error.request = summary
            throw error
        }
    }

    /// The fields that are sent: the body's type is filled in, and framing is left to the transport.
    private func wireHeaders(bodyLength: Int?) throws(SwiftyError) -> HTTPFields {
        var headers = self.headers
        try Self.refuseFraming(headers)
        if headers.contains(.contentLength) {
            try Self.checkLength(headers[values: .contentLength], bodyLength ?? 0)
            headers[.contentLength] = nil
        }
        if case .fixed(let key) = idempotencyKey { headers[.idempotencyKey] = key }
        if let bodyContentType, body != nil, !headers.contains(.contentType) {
            headers[.contentType] = bodyContentType
        }
        return headers
    }

    /// The framing of a message is the transport's (RFC 9112 §6).
    private static func refuseFraming(_ headers: HTTPFields) throws(SwiftyError) {
        if headers.contains(.transferEncoding) {
            throw framingError("Transfer-Encoding is set by the transport; remove it from the request")
        }
        if headers.contains(.host), headers[fields: .host].count > 1 {
            throw framingError("the request has more than one Host")
        }
    }

    /// A caller may only say what is true anyway.
    private static func checkLength(_ lengths: [String], _ bodyLength: Int) throws(SwiftyError) {
        guard lengths.count == 1, Int(lengths[0]) == bodyLength,
            lengths[0].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw framingError(
                "Content-Length is set by the transport; the request says \(lengths) and the body has \(bodyLength) bytes"
            )
        }
    }

    private static func framingError(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}

extension HTTPField.Name {
    /// `Host`, which HTTPTypes keeps to itself.
    fileprivate static let host = HTTPField.Name("Host") ?? .accept
}
