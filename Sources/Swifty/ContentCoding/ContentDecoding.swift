// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Data

extension Swifty {
    /// The decoding of compressed responses, and its limits (RFC 9110 §8.4).
    ///
    /// Requests without an `Accept-Encoding` accept `gzip` and `deflate`, and with the package's traits `Brotli` and
    /// `Zstd` also `br` and `zstd`. Interceptors and callers get a response in these codings decoded; its head stays as
    /// the server sent it. Other codings, parts of a coded response (206), and responses to requests with a `Range`, or
    /// with their own `Accept-Encoding` that does not name the same codings, are delivered unchanged.
    ///
    /// A small response can decode to huge content. Beyond a limit, decoding stops and the load fails with
    /// ``SwiftyError/Code/responseTooLarge``.
    public struct ContentDecoding: Sendable {
        /// Whether requests accept codings and responses are decoded.
        public var isEnabled: Bool
        /// The maximum size of decoded content that is held in memory, in bytes.
        public var maximumBytes: Int
        /// The maximum size of decoded content that is streamed, in bytes; `nil` for no limit.
        public var maximumStreamedBytes: Int?
        /// The maximum ratio of the decoded to the coded size, for decoded content of more than 4 MiB.
        public var maximumRatio: Int
        /// Your codings, which requests accept before those that are built in.
        public var codings: [any CustomContentCoding] = []

        /// Makes the limits: by default 32 MiB in memory, no limit for streams, and 256 times the coded size.
        public init(
            isEnabled: Bool = true,
            maximumBytes: Int = 32 << 20,
            maximumStreamedBytes: Int? = nil,
            maximumRatio: Int = 256
        ) {
            self.isEnabled = isEnabled
            self.maximumBytes = maximumBytes
            self.maximumStreamedBytes = maximumStreamedBytes
            self.maximumRatio = maximumRatio
        }

        /// No decoding.
        public static let off = ContentDecoding(isEnabled: false)
    }
}

extension Swifty.ContentDecoding {
    /// The maximum number of content codings. Each coding lets a small response cost more.
    private static let maximumCodings = 5

    /// Adds `Accept-Encoding`, unless the request has its own or asks for a range.
    ///
    /// - Throws: ``SwiftyError``, if the name of a coding cannot be used.
    func addAcceptEncoding(to request: inout NetworkRequest) throws(SwiftyError) {
        guard isEnabled, request.leavesOpen(.acceptEncoding), !request.headers.contains(.range) else { return }
        request.add(codings.isEmpty ? ContentCoding.field : try ownField())
    }

    @inline(never)
    private func ownField() throws(SwiftyError) -> HTTPField {
        for coding in codings { if let error = SwiftyError.invalidName(of: coding) { throw error } }
        return HTTPField(name: .acceptEncoding, value: acceptedNames.joined(separator: ", "))
    }

    /// The names of all codings, each once, the user's own first.
    private var acceptedNames: [String] {
        (codings.map(\.normalName) + ContentCoding.allCases.map(\.rawValue)).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    private func isDefault(_ value: String?) -> Bool {
        if codings.isEmpty { return ContentCoding.isDefault(value) }
        return value.map { ContentCoding.names(in: $0) == Set(acceptedNames.map { $0[...] }) } ?? false
    }

    /// The content of a response without its codings.
    ///
    /// - Throws: ``SwiftyError/Code/malformedResponse`` for content that is cut off, damaged or followed by other
    ///   bytes, ``SwiftyError/Code/responseTooLarge`` beyond the limits. The error has the head and the coded content.
    package func decode(_ response: TransportResponse, to request: NetworkRequest) throws(SwiftyError) -> Data {
        guard !response.content.isEmpty, mayDecode(response.head, to: request) else { return response.content }
        return try decode(response)
    }

    /// Content without the codings of a field `Content-Encoding`; `nil` if none of them is known.
    ///
    /// - Throws: As ``decode(_:to:)``.
    package func decode(_ content: Data, codings: String) throws(SwiftyError) -> Data? {
        let limits = DecodingLimits(bytes: maximumBytes, ratio: maximumRatio)
        guard var chain = try chain(codings, limits) else { return nil }
        return try chain.decode(content)
    }

    /// The content of a streamed response without its codings, decoded as it is read.
    func decode(
        _ content: any StreamedContent,
        _ head: ResponseHead,
        to request: NetworkRequest
    ) -> any StreamedContent {
        guard mayDecode(head, to: request) else { return content }
        let limits = DecodingLimits(bytes: maximumStreamedBytes ?? .max, ratio: maximumRatio, setting: .streamedBytes)
        let codings = head.contentCodings
        return DecodedContent(content, Result { () throws(SwiftyError) in try chain(codings, limits) })
    }

    /// Whether the content of a response has codings that its request accepts by default.
    @inline(__always)
    package func mayDecode(_ head: ResponseHead, to request: NetworkRequest) -> Bool {
        isEnabled && head.statusCode != 206 && head.mayHaveField("content-encoding")
            && isDefault(request.headers[.acceptEncoding])
    }

    // Not inlined; see Load+Run.swift.
    @inline(never)
    private func decode(_ response: TransportResponse) throws(SwiftyError) -> Data {
        do throws(SwiftyError) {
            return try decode(response.content, codings: response.head.contentCodings) ?? response.content
        } catch {
            throw error.withResponse(response, content: response.content)
        }
    }

    /// The decoders of the codings of a field; `nil` if none of them is known.
    private func chain(_ field: String, _ limits: DecodingLimits) throws(SwiftyError) -> DecodingChain? {
        let codings = Self.codings(of: field)
        if codings.count > Self.maximumCodings {
            throw .malformed("the content has more than \(Self.maximumCodings) codings")
        }
        // An unknown coding stays, and with it the codings that were applied before it.
        let known = codings.reversed().map { AcceptedCoding(name: $0, self.codings) }.prefix { $0 != nil }
            .compactMap(\.self)
        return known.isEmpty ? nil : try DecodingChain(known, limits)
    }

    /// The codings in the order in which they were applied, in lower case.
    private static func codings(of field: String) -> [String] {
        field.split(separator: ",").compactMap { text in
            let name = text.filter { $0 != " " && $0 != "\t" }.lowercased()
            return name.isEmpty || name == "identity" ? nil : name
        }
    }
}

extension Swifty.ContentDecoding: Hashable {
    /// Whether both have the same settings, and codings of the same types and names.
    public static func == (one: Self, other: Self) -> Bool { one.values == other.values }

    /// Hashes the settings, and the types and names of the codings.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    private var values: [AnyHashable] {
        [isEnabled, maximumBytes, maximumStreamedBytes, maximumRatio, codings.map(\.identity)]
    }
}

extension ResponseHead {
    fileprivate var contentCodings: String { headers[values: .contentEncoding].joined(separator: ",") }
}
