// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import WebServiceDSL

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

extension NetworkResource {
    /// Makes a request from a copy of Foundation's: `NetworkResource(request:networkInterface:)` with a `URLRequest`.
    public convenience init(request: NSMutableURLRequest, networkInterface: (any NetworkInterface)? = nil) {
        self.init(request: request as URLRequest, networkInterface: networkInterface)
    }

    /// The request as Foundation's, without what the interface and its hooks add:
    /// ``/WebServiceDSL/NetworkResource/draft``, and `URLRequest(resource)`.
    ///
    /// `url` is `nil` for a resource without one, and `httpBody` for content that is produced while it is sent. A part
    /// that is changed replaces that of the resource; what cannot be sent fails the load.
    public var request: URLRequest {
        get { URLRequest(describing: draft) }
        set { modify { $0.adopt(newValue) } }
    }
}

extension URLRequest {
    fileprivate init(describing draft: RequestDraft) {
        let url = draft.fullTarget.flatMap { URL(string: $0.string) }
        self.init(url: url ?? URL(fileURLWithPath: "/"))
        self.url = url
        httpMethod = draft.method.rawValue
        allHTTPHeaderFields = draft.fieldsWithContentType.byName
        httpBody = draft.contentData
        if let limit = draft.timeouts.idle { timeoutInterval = limit / .seconds(1) }
    }
}

extension RequestDraft {
    /// Takes over the parts that differ from those that the draft has.
    fileprivate mutating func adopt(_ new: URLRequest) {
        let old = URLRequest(describing: self)
        if new.url != old.url { setTarget(new.url) }
        if new.httpMethod != old.httpMethod { setMethod(new.httpMethod ?? "GET") }
        if new.allHTTPHeaderFields != old.allHTTPHeaderFields {
            replaceHeaders(with: new.allHTTPHeaderFields ?? [:])
        }
        if new.timeoutInterval != old.timeoutInterval { setTimeout(new.timeoutInterval) }
        if new.httpBodyStream != nil || new.httpBody != old.httpBody { setContent(of: new) }
    }
}
