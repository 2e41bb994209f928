// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import WebServiceDSL

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Requests of Swifty as those of `URLSession`.
extension URLRequest {
    /// Makes the request of Foundation with the same method, URL, header fields and content.
    ///
    /// `timeoutInterval` is the shorter one of the limits for silence and for the whole load, or Foundation's default
    /// without either. Other limits, and what only a pipeline keeps, have no counterpart.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError``, with its `request` set, for what Foundation would change:
    ///   `invalidURL`, `invalidMethod`. Content that is a source fails with `contentUnreadable`;
    ///   ``/SwiftyTransport/NetworkRequest/collectingContent()`` reads it into memory.
    public init(_ request: NetworkRequest) throws(SwiftyError) {
        do throws(SwiftyError) {
            if request.content.source != nil {
                throw SwiftyError(
                    .contentUnreadable,
                    stage: .building,
                    reason: "the content is not in memory; URLRequest takes that of collectingContent()"
                )
            }
            try self.init(exactly: request)
            allHTTPHeaderFields = request.headers.byName
            let limits = [request.timeouts.idle, request.timeouts.total].compactMap { $0 }
            if let limit = limits.min() { timeoutInterval = limit / .seconds(1) }
        } catch {
            var error = error
            error.request = NetworkRequest.Summary(request)
            throw error
        }
    }

    /// Makes the request of Foundation that a resource describes, with its content in memory; see
    /// ``init(_:)-(NetworkRequest)``.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` as a load of the resource before anything is sent.
    public init(_ resource: some ModifiableResource) async throws(SwiftyError) {
        try self.init(await resource.draft.makeRequest().collectingContent())
    }

    /// A request with this method, URL and content, which is in memory.
    init(exactly request: NetworkRequest) throws(SwiftyError) {
        guard let url = URL(string: request.target.string), url.absoluteString == request.target.string else {
            throw SwiftyError(.invalidURL, stage: .building, reason: "URL has no exact form of the target")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw SwiftyError(.invalidMethod, stage: .building, reason: "URLSession changes the case of the method")
        }
        httpBody = request.content.data
    }
}

extension HTTPFields {
    /// The values of the fields by their names as they were written, which Foundation's methods for one field change.
    ///
    /// The values of fields of one name are joined: RFC 9110 §5.3, and RFC 6265 §4.2.1 for `Cookie`.
    var byName: [String: String] {
        var names: [HTTPField.Name: String] = [:]
        for field in self where names[field.name] == nil { names[field.name] = field.name.rawName }
        let pairs = names.map { name, text in
            (text, self[values: name].joined(separator: name == .cookie ? "; " : ", "))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

/// Requests of `URLSession` as those of Swifty.
extension NetworkRequest {
    /// Makes a request with the method, the URL, the header fields, the content and the time limit of Foundation's.
    ///
    /// What is converted, and what fails, is the same as with
    /// ``/WebServiceDSL/NetworkResource/init(request:networkInterface:)``.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError``, with its `request` set.
    public init(_ request: URLRequest) async throws(SwiftyError) {
        self = try await RequestDraft(request).makeRequest()
    }
}

extension NetworkResource {
    /// Makes a request with the method, the URL, the header fields, the content and the time limit of Foundation's,
    /// outside of any ``/WebServiceDSL/WebService``.
    ///
    /// - `httpBodyStream` is read once, while it is sent, on a queue for code that waits. Its length is that of
    ///   `Content-Length`, if there is one. After its first part there is no retry.
    /// - `timeoutInterval` becomes the limit for silence. 60 seconds, Foundation's default, leave that of the
    ///   interface.
    /// - A fragment of the URL is not sent. Cache policy, cookies and the kind of network are those of the interface.
    ///
    /// What cannot be sent fails the load: `invalidURL`, `invalidMethod`, `invalidHeader`, `invalidTimeout`, and
    /// `contentNotAllowed` for content of a GET, HEAD, OPTIONS or TRACE request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - networkInterface: The interface that loads it. Without one, only `add` of a `Swifty` loads it, and other
    ///     loads fail with `noNetworkInterface`.
    public convenience init(request: URLRequest, networkInterface: (any NetworkInterface)? = nil) {
        self.init(RequestDraft(request), networkInterface: networkInterface)
    }
}

extension RequestDraft {
    /// The time limit of a request for which none was set.
    static let defaultTimeoutInterval = 60.0

    init(_ request: URLRequest) {
        self.init()
        setTarget(request.url)
        setMethod(request.httpMethod ?? "GET")
        if let fields = request.allHTTPHeaderFields { replaceHeaders(with: fields) }
        setTimeout(request.timeoutInterval)
        setContent(of: request)
    }

    mutating func setTimeout(_ seconds: TimeInterval) {
        if seconds == Self.defaultTimeoutInterval { return }
        // `Duration` traps for numbers that it cannot hold, and for NaN.
        setIdleTimeout(seconds > 0 ? .seconds(min(seconds, 1e9)) : .zero)
    }

    mutating func setContent(of request: URLRequest) {
        if let stream = request.httpBodyStream {
            let length = headers[.contentLength].flatMap { Int64($0) }
            let chunks = InputStreamChunks(stream)
            replaceContent(length: length) { chunks }
        } else {
            // Empty content of a GET request is none.
            let isNone = request.httpBody.map { $0.isEmpty && !allowsContent } ?? true
            replaceContent(with: isNone ? nil : request.httpBody)
        }
    }
}
