// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import HTTPTypes
import Swifty
import SwiftySupport
import SwiftyTransport
import Synchronization
import Tracing
import WebServiceDSL

/// What many requests have in common, and metrics and spans are named after: the method, and the template of the path,
/// or else the name of the request. Never the path, of which there may be as many as requests.
final class RequestKind: Sendable {
    /// What its author wrote: the template with secrets, if there are any in it.
    struct Key: Hashable, Sendable {
        let method: HTTPRequest.Method
        let template: String?
        let name: String?

        init(_ draft: RequestDraft) {
            method = draft.method
            // An empty path tells nothing, and is that of a server whose whole URL is its base.
            template = draft.hasTemplate && !draft.template.isEmpty ? draft.template : nil
            name = template == nil ? draft.name : nil
        }
    }

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
    /// Most kinds have one server.
    private let lastServer = Mutex<(host: String, port: Int, attributes: [String: SpanAttribute])?>(nil)

    init(_ key: Key, _ redactor: Redactor) {
        let method = key.method.rawValue
        let isKnown = Self.knownMethods.contains(method)
        self.method = isKnown ? method : "_OTHER"
        originalMethod = isKnown ? nil : method
        template = key.template.map(redactor.reference)
        name = key.name
        spanName = [isKnown ? method : "HTTP", template ?? name].compactMap(\.self).joined(separator: " ")
    }

    /// The attributes of the spans of requests to a server, with room for those of the request and its response.
    func attributes(of target: TargetURI) -> [String: SpanAttribute] {
        let known = lastServer.withLock { last in
            last.flatMap { $0.host == target.host && $0.port == target.port ? $0.attributes : nil }
        }
        if let known { return known }
        var attributes = [String: SpanAttribute](minimumCapacity: 12)
        attributes[AttributeName.method] = .string(method)
        attributes[AttributeName.serverAddress] = .string(target.host)
        attributes[AttributeName.serverPort] = .int64(Int64(target.port))
        if let template { attributes[AttributeName.template] = .string(template) }
        if let name { attributes[AttributeName.name] = .string(name) }
        if let originalMethod { attributes[AttributeName.originalMethod] = .string(originalMethod) }
        let made = attributes
        lastServer.withLock { $0 = (target.host, target.port, made) }
        return attributes
    }

    private static let knownMethods: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    private static let cache = SlotCache<Key, RequestKind>(count: 512)

    /// The kind of a request.
    static func of(_ draft: RequestDraft) -> RequestKind {
        let key = Key(draft)
        // Declared secrets are those of one request.
        if draft.secrets != nil { return RequestKind(key, draft.redactor) }
        return cache.value(key) { RequestKind(key, draft.redactor) }
    }
}
#endif
