// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// A response in a cache.
struct StoredResponse: Sendable {
    let head: ResponseHead
    /// As transferred, with its content codings.
    let content: Data
    let times: CacheTimes
    let variant: CacheVariant
    /// The lifetime that the caller has decided, in seconds.
    let ownLifetime: Double?
    let freshness: Freshness

    init(
        head: ResponseHead,
        content: Data,
        times: CacheTimes,
        variant: CacheVariant,
        ownLifetime: Double?
    ) {
        (self.head, self.content, self.times) = (head, content, times)
        (self.variant, self.ownLifetime) = (variant, ownLifetime)
        freshness = Freshness(head, times, ownLifetime: ownLifetime)
    }

    /// The number of bytes that the response counts for.
    var size: Int {
        content.count + head.headers.reduce(512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
    }

    /// Whether the server can be asked whether the response is current.
    var hasValidator: Bool { head.headers.contains(.eTag) || head.headers.contains(.lastModified) }

    /// The request that asks the server whether the response is current (RFC 9111 §4.3.1).
    func validating(_ request: NetworkRequest) -> NetworkRequest {
        var request = request
        if let tag = head.headers[.eTag] { request.headers[.ifNoneMatch] = tag }
        if let date = head.headers[.lastModified] { request.headers[.ifModifiedSince] = date }
        return request
    }

    /// The response to a request, with its age (RFC 9111 §5.1).
    func answer(to request: NetworkRequest, at now: Double) -> TransportResponse {
        let age = freshness.age(at: now)
        var headers = head.headers
        headers[.age] = "\(Int(min(age, 0x1p31)))"
        let answer = TransportResponse(head: head.with(headers), content: content)
        return request.method == .head ? answer.withoutContent : answer
    }
}

// MARK: Updates

extension StoredResponse {
    /// The response with the fields of a 304, or of a response to HEAD (RFC 9111 §3.2).
    func updated(by head: ResponseHead) -> TransportResponse {
        let new = head.headers.filter { !Self.kept.contains($0.name) }.forStoring
        let replaced = Set(new.map(\.name))
        // The age of the old response says nothing about the new one.
        let rest = self.head.headers.filter { !replaced.contains($0.name) && $0.name != .age }
        return TransportResponse(head: self.head.with(rest.adding(new)), content: content)
    }

    /// Whether a 304 is about this response: it has the same entity tag, or none.
    func isConfirmed(by head: ResponseHead) -> Bool {
        guard let tag = head.headers[.eTag], let own = self.head.headers[.eTag] else { return true }
        return tag.withoutWeakness == own.withoutWeakness
    }

    /// Whether a response to HEAD shows that the content has not changed: it has a validator, and all that it has are
    /// those of the stored response (RFC 9111 §4.3.5).
    func isConfirmed(byHead head: ResponseHead) -> Bool {
        let validators: [HTTPField.Name] = [.eTag, .lastModified]
        let received = validators.filter { head.headers.contains($0) }
        let length = head.headers[.contentLength]
        return !received.isEmpty && received.allSatisfy { head.headers[$0] == self.head.headers[$0] }
            && (length == nil || length == self.head.headers[.contentLength])
    }

    /// The fields that describe the stored content, which a 304 does not have.
    private static let kept: Set<HTTPField.Name> = [.contentLength, .contentEncoding, .contentRange, .contentType]
}

extension String {
    /// The entity tag for a weak comparison (RFC 9110 §8.8.3.2).
    fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

extension TransportResponse {
    /// The response as it answers HEAD.
    var withoutContent: TransportResponse { TransportResponse(head: head, content: Data(), metrics: metrics) }
}

extension ResponseHead {
    /// The head as it is stored.
    var forStoring: ResponseHead { with(headers.forStoring) }

    fileprivate func with(_ headers: HTTPFields) -> ResponseHead {
        ResponseHead(
            statusCode: statusCode,
            reasonPhrase: reasonPhrase,
            httpVersion: httpVersion,
            headers: headers
        )
    }
}

extension HTTPFields {
    /// The fields without those of the connection, and without cookies, which were taken from the response when it
    /// arrived (RFC 9111 §3.1).
    var forStoring: HTTPFields {
        let nominated = self[values: .connection].flatMap { $0.split(separator: ",") }
            .compactMap { HTTPField.Name(String($0.trimmingSpacesAndTabs())) }
        let left = Self.ofConnection.union(nominated)
        return filter { !left.contains($0.name) }
    }

    func adding(_ others: HTTPFields) -> HTTPFields {
        others.reduce(into: self) { $0.append($1) }
    }

    private static let ofConnection: Set<HTTPField.Name> = [
        .connection, .literal("Keep-Alive"), .proxyAuthenticate, .literal("Proxy-Authentication-Info"),
        .literal("Authentication-Info"),
        .literal("Proxy-Connection"), .te, .trailer, .transferEncoding, .upgrade, .setCookie,
    ]
}
