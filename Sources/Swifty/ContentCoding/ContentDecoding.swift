// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension Swifty {
    /// Whether and how far compressed responses are decoded (RFC 9110 §8.4).
    ///
    /// Requests that set no `Accept-Encoding` say that they take `gzip` and `deflate`, and with the package's traits `Brotli`
    /// and `Zstd` also `br` and `zstd`. A response in these codings is given to interceptors and callers decoded; its head stays
    /// as the server sent it. Other codings, parts of a coded response (206), and
    /// responses to requests with an `Accept-Encoding` or `Range` of their own are delivered as they came.
    ///
    /// A small response can stand for a huge content. Both limits are there to end that early: the load fails with
    /// ``SwiftyError/Code/responseTooLarge``.
    public struct ContentDecoding: Sendable, Hashable {
        /// Whether responses are decoded, and requests say that they may be coded.
        public var isEnabled: Bool
        /// How many bytes a decoded content may have.
        public var maximumBytes: Int
        /// How many times larger than the coded content the decoded one may be, once it exceeds 4 MiB.
        public var maximumRatio: Int

        /// Makes the limits: 32 MiB, 256 times.
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
    /// More than anyone needs; each further one is a way to make a small response cost more.
    private static let maximumCodings = 5

    /// Says in `Accept-Encoding` what is decoded, unless the request says something of its own, or wants a part.
    func announce(in request: inout NetworkRequest) {
        guard isEnabled, request.leavesOpen(.acceptEncoding), !request.headers.contains(.range) else { return }
        request.add(ContentCoding.field)
    }

    /// The content of an answer without its codings.
    ///
    /// - Throws: ``SwiftyError/Code/malformedResponse`` for a content that is cut, damaged or followed by something else,
    ///   ``SwiftyError/Code/responseTooLarge`` beyond the limits; with head and coded content.
    func decode(_ answer: TransportResponse, to request: NetworkRequest) throws(SwiftyError) -> Data {
        guard isEnabled, !answer.body.isEmpty, answer.head.statusCode != 206,
            answer.head.mayHaveField("content-encoding"),
            request.headers[.acceptEncoding] == ContentCoding.accepted
        else { return answer.body }
        return try decode(answer)
    }

    // Kept out of the frames of waiting loads; see LoadPipeline.
    @inline(never)
    private func decode(_ answer: TransportResponse) throws(SwiftyError) -> Data {
        do throws(ContentCodingError) {
            return try decode(answer.body, codings: Self.codings(of: answer.head))
        } catch {
            var failure = SwiftyError(error.code, stage: .body, sent: .responded, reason: error.reason)
            failure.head = answer.head
            failure.body = answer.body
            failure.transfer = answer.metrics
            throw failure
        }
    }

    private func decode(_ content: Data, codings: [String]) throws(ContentCodingError) -> Data {
        if codings.count > Self.maximumCodings {
            throw .malformed("the content has more than \(Self.maximumCodings) codings")
        }
        // What is not known stays, and with it what is underneath.
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
