// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// The head of a request: its request line and its header fields as HTTP/1.1 writes them (RFC 9112 §2.1), validated on
/// the way.
///
/// Made on the caller's thread, to save the loop's time. HTTP/2 reads its fields from the same bytes.
struct RequestHead: Sendable {
    /// The values that the transport adds to a request.
    struct Additions {
        /// The line with the `User-Agent` of a request without one; empty to send none.
        var userAgentLine: [UInt8] = []
        /// The `Proxy-Authorization` of a request that a proxy receives.
        var proxyAuthorization: String?
        /// Whether the content is sent as chunks, because its length is unknown (RFC 9112 §7.1).
        var isChunked = false
        /// Whether the content waits for a 100 response.
        var expectsContinue = false
        /// Whether the request target is the whole URI, for a proxy without a tunnel, and not just path and query
        /// (RFC 9112 §3.2).
        var hasAbsoluteTarget = false
    }

    /// The request line, the field lines and the empty line.
    let bytes: [UInt8]
    /// The ends of the method and of the request target, which a space separates.
    let methodEnd: Int
    let targetEnd: Int
    /// The index of the first field line, which is `Host`.
    let fieldsStart: Int
    /// Whether the request says that the connection ends after the response (RFC 9112 §9.6).
    let closesConnection: Bool

    /// Writes the head.
    ///
    /// - Parameter contentLength: The length of the request's content; `nil` if it has none.
    /// - Throws: `invalidHeader` if a field must not be sent.
    init(
        _ request: NetworkRequest,
        contentLength: Int?,
        _ additions: Additions
    ) throws(SwiftyError) {
        self = try ByteWriter.withScratch { output throws(SwiftyError) in
            try RequestHead(request, contentLength: contentLength, additions: additions, output: &output)
        }
    }

    private init(
        _ request: NetworkRequest,
        contentLength: Int?,
        additions: Additions,
        output: inout ByteWriter
    ) throws(SwiftyError) {
        output.append(request.method.rawValue)
        methodEnd = output.count
        output.append(.space)
        output.appendTarget(of: request, isAbsolute: additions.hasAbsoluteTarget)
        targetEnd = output.count
        output.append(" HTTP/1.1\r\n")
        fieldsStart = output.count
        output.append("Host: ")
        output.append(request.target.origin, droppingFirst: request.target.scheme == .http ? 7 : 8)
        output.append(.carriageReturn)
        output.append(.lineFeed)
        let hostEnd = output.count
        var fields = RequestFields(contentLength: contentLength)
        for field in request.headers { try fields.append(field, to: &output) }
        fields.appendAdditions(additions, removed: request.removedHeaders, to: &output)
        output.append(.carriageReturn)
        output.append(.lineFeed)
        closesConnection = fields.closesConnection
        bytes = output.finish(replacing: fieldsStart..<hostEnd, by: fields.hostLine)
    }
}

extension RequestHead {
    /// Writes the head of a request to its server, or to a proxy that forwards it.
    init(
        _ request: NetworkRequest,
        content: RequestContent,
        proxy: TransportSettings.Proxy?,
        userAgentLine: [UInt8],
        expectsContinue: Bool
    ) throws(SwiftyError) {
        var additions = Additions(
            userAgentLine: userAgentLine,
            isChunked: content.isChunked,
            expectsContinue: expectsContinue
        )
        if let proxy, proxy.forwards(request) {
            additions.hasAbsoluteTarget = true
            additions.proxyAuthorization = proxy.authorization
        }
        try self.init(request, contentLength: content.length, additions)
    }
}

extension ByteWriter {
    fileprivate mutating func appendTarget(of request: NetworkRequest, isAbsolute: Bool) {
        if isAbsolute { append(request.target.origin) }
        if request.target.path.isEmpty { append("/") } else { append(request.target.path) }
        if let query = request.target.query {
            append(UInt8(ascii: "?"))
            append(query)
        }
    }

    /// Ends the head. The request's own `Host` replaces the target's.
    fileprivate func finish(replacing range: Range<Int>, by hostLine: [UInt8]?) -> [UInt8] {
        var bytes = finish()
        if let hostLine { bytes.replaceSubrange(range, with: hostLine) }
        return bytes
    }
}
