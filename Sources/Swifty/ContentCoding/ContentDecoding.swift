// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension Swifty {
    /// The decoding of compressed responses, and its limits (RFC 9110 §8.4).
    ///
    /// Requests without an `Accept-Encoding` accept `gzip` and `deflate`, and with the package's traits `Brotli` and
    /// `Zstd` also `br` and `zstd`. Interceptors and callers get a response in these codings decoded; its head stays as
    /// the server sent it. Other codings, parts of a coded response (206), and responses to requests with an
    /// `Accept-Encoding` or `Range` of their own are delivered unchanged.
    ///
    /// A small response can decode to a huge content. Beyond either limit, decoding stops and the load fails with
    /// ``SwiftyError/Code/responseTooLarge``.
    public struct ContentDecoding: Sendable, Hashable {
        /// Whether requests accept codings and responses are decoded.
        public var isEnabled: Bool
        /// The maximum size of a decoded content, in bytes.
        public var maximumBytes: Int
        /// The maximum ratio of the decoded to the coded size, for a decoded content of more than 4 MiB.
        public var maximumRatio: Int

        /// Makes the limits: by default 32 MiB, and 256 times the coded size.
        public init(isEnabled: Bool = true, maximumBytes: Int = 32 << 20, maximumRatio: Int = 256) {
            self.isEnabled = isEnabled
            self.maximumBytes = maximumBytes
            self.maximumRatio = maximumRatio
        }

        /// No decoding.
        public static let off = ContentDecoding(isEnabled: false)
    }
}

extension Swifty.ContentDecoding {
    /// The maximum number of codings of one content. Each coding lets a small response cost more.
    private static let maximumCodings = 5

    /// Adds `Accept-Encoding`, unless the request has its own or asks for a range.
    func addAcceptEncoding(to request: inout NetworkRequest) {
        guard isEnabled, request.leavesOpen(.acceptEncoding), !request.headers.contains(.range) else { return }
        request.add(ContentCoding.field)
    }

    /// The content of a response without its codings.
    ///
    /// - Throws: ``SwiftyError/Code/malformedResponse`` for a content that is cut off, damaged or followed by other
    ///   bytes, ``SwiftyError/Code/responseTooLarge`` beyond the limits. The error has the head and the coded content.
    func decode(_ response: TransportResponse, to request: NetworkRequest) throws(SwiftyError) -> Data {
        guard isEnabled, !response.body.isEmpty, response.head.statusCode != 206,
            response.head.mayHaveField("content-encoding"),
            request.headers[.acceptEncoding] == ContentCoding.accepted
        else { return response.body }
        return try decode(response)
    }

    // A cold path; see LoadPipeline+ColdPaths.swift.
    @inline(never)
    private func decode(_ response: TransportResponse) throws(SwiftyError) -> Data {
        do throws(ContentCodingError) {
            return try decode(response.body, codings: Self.codings(of: response.head))
        } catch {
            throw SwiftyError(error.code, stage: .body, sent: .responded, reason: error.reason)
                .withResponse(response, content: response.body)
        }
    }

    private func decode(_ content: Data, codings: [String]) throws(ContentCodingError) -> Data {
        if codings.count > Self.maximumCodings {
            throw .malformed("the content has more than \(Self.maximumCodings) codings")
        }
        // An unknown coding stays, and with it the codings that were applied before it.
        let known = codings.reversed().map { ContentCoding(name: $0) }.prefix { $0 != nil }.compactMap(\.self)
        if known.isEmpty { return content }
        var chain = try DecodingChain(content, known, DecodingLimits(bytes: maximumBytes, ratio: maximumRatio))
        return try chain.decode()
    }

    /// The codings in the order in which they were applied, in lower case.
    private static func codings(of head: ResponseHead) -> [String] {
        head.headers[values: .contentEncoding].flatMap { $0.split(separator: ",") }.compactMap { text in
            let name = text.filter { $0 != " " && $0 != "\t" }.lowercased()
            return name.isEmpty || name == "identity" ? nil : name
        }
    }
}
