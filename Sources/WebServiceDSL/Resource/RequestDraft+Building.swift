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
