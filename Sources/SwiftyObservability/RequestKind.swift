// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import SwiftySupport
import Swifty
import Synchronization
import WebServiceDSL

/// What many requests have in common, and metrics and spans are named after: the method, and the template of the path,
/// or else the name of the request. Never the path, of which there may be as many as requests.
struct RequestKind: Sendable, Hashable {
    /// The method, or `_OTHER` for one that is not in RFC 9110 or RFC 5789.
    let method: String
    /// The method as it is sent, if it is `_OTHER` here.
    let originalMethod: String?
    /// The template of the path without secrets; `nil` if the request was made from a whole URL.
    let template: String?
    /// The name of the request, if there is no template.
    let name: String?
    /// The name of spans.
    let spanName: String

    private init(_ draft: RequestDraft) {
        let method = draft.method.rawValue
        let isKnown = Self.knownMethods.contains(method)
        self.method = isKnown ? method : "_OTHER"
        originalMethod = isKnown ? nil : method
        template = draft.hasTemplate ? draft.redactor.reference(draft.template) : nil
        name = template == nil ? draft.name : nil
        spanName = [isKnown ? method : "HTTP", template ?? name].compactMap(\.self).joined(separator: " ")
    }

    private static let knownMethods: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]
}

// MARK: The kinds of the process

extension RequestKind {
    private struct Written: Hashable {
        let method: HTTPRequest.Method
        let template: String?
        let name: String?
    }

    /// Kinds by what their author wrote, since each costs a search for secrets.
    private static let kinds = Mutex<[Written: RequestKind]>([:])
    private static let maximumCount = 2_000

    /// The kind of a request.
    static func of(_ draft: RequestDraft) -> RequestKind {
        let template = draft.hasTemplate ? draft.template : nil
        let written = Written(method: draft.method, template: template, name: template == nil ? draft.name : nil)
        // Declared secrets are those of one request.
        if draft.secrets != nil { return RequestKind(draft) }
        if let known = kinds.withLock({ $0[written] }) { return known }
        let kind = RequestKind(draft)
        kinds.withLock { if $0.count < maximumCount { $0[written] = kind } }
        return kind
    }
}
#endif
