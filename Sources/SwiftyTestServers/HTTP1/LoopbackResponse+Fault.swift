// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoopbackResponse {
    /// The way in which a response, or the connection with it, breaks.
    public enum Fault: Sendable, Hashable {
        /// The connection is closed before the response.
        case close

        /// The connection is reset before the response.
        case reset

        /// Nothing is sent, and the connection stays open until the client leaves.
        case stall

        /// The connection is closed after the head and this many bytes of the content.
        case closeAfter(contentBytes: Int)

        /// The connection is reset after the head and this many bytes of the content.
        case resetAfter(contentBytes: Int)

        /// The head and this many bytes of the content are sent; then the connection stays open and silent.
        case stallAfter(contentBytes: Int)

        /// The connection is closed after the complete response, which does not announce it.
        case closeAtEnd

        /// The server ends its direction of the connection (FIN) after the complete response, which does not announce
        /// it, and continues to read: later requests are recorded, and get no response.
        case halfCloseAtEnd

        /// The response is complete, but its framing is not valid; then the connection is closed.
        case badFraming(BadFraming)
    }

    /// A framing that RFC 9112 §6 forbids or that does not fit the content.
    public enum BadFraming: Sendable, Hashable, CaseIterable {
        /// `Content-Length` is larger than the content by one.
        case lengthTooLarge

        /// `Content-Length` is smaller than the content by one; without content, a byte follows the response.
        case lengthTooSmall

        /// Two `Content-Length` fields differ.
        case twoLengths

        /// `Content-Length` is not a number.
        case lengthMalformed

        /// Both `Content-Length` and `Transfer-Encoding: chunked` are sent, with chunked content.
        case lengthAndChunks

        /// The size of a chunk is not a number.
        case chunkSizeMalformed

        /// A chunk is longer than its size.
        case chunkTooLong

        /// The last chunk is missing.
        case lastChunkMissing
    }

    /// The same response with a fault.
    ///
    /// The delay and the rate are kept, and the header fields declare the whole content.
    public func failing(with fault: Fault) -> LoopbackResponse {
        with { $0.fault = fault }
    }
}

extension LoopbackResponse.Fault {
    /// What happens to the connection afterwards.
    var outcome: ResponseWriter.Outcome {
        switch self {
        case .reset, .resetAfter: .resets
        case .close, .closeAfter, .closeAtEnd, .badFraming: .closes
        case .stall, .stallAfter: .stalls
        case .halfCloseAtEnd: .halfCloses
        }
    }

    /// The part of a response that is sent before the connection breaks.
    enum Extent: Equatable {
        case nothing
        /// The head and this many bytes of the content.
        case partial(contentBytes: Int)
        case everything
        /// The whole response, in another framing.
        case malformed(LoopbackResponse.BadFraming)
    }

    var extent: Extent {
        switch self {
        case .close, .reset, .stall: .nothing
        case .closeAfter(let count), .resetAfter(let count), .stallAfter(let count):
            .partial(contentBytes: max(0, count))
        case .closeAtEnd, .halfCloseAtEnd: .everything
        case .badFraming(let framing): .malformed(framing)
        }
    }
}

extension LoopbackResponse.BadFraming {
    func fields(_ bytes: [UInt8]) -> [(name: String, value: String)] {
        let (length, coding) = ("Content-Length", "Transfer-Encoding")
        return switch self {
        case .lengthTooLarge: [(length, "\(bytes.count + 1)")]
        case .lengthTooSmall: [(length, "\(max(0, bytes.count - 1))")]
        case .twoLengths: [(length, "\(bytes.count)"), (length, "\(bytes.count + 1)")]
        case .lengthMalformed: [(length, "\(bytes.count) bytes")]
        case .lengthAndChunks: [(length, "\(bytes.count)"), (coding, "chunked")]
        case .chunkSizeMalformed, .chunkTooLong, .lastChunkMissing: [(coding, "chunked")]
        }
    }

    /// The content in that framing.
    func content(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .lengthTooLarge, .twoLengths, .lengthMalformed: bytes
        case .lengthTooSmall: bytes.isEmpty ? [UInt8(ascii: "x")] : bytes
        case .lengthAndChunks: ResponseWriter.chunk(bytes) + ResponseWriter.lastChunk
        case .chunkSizeMalformed: ResponseWriter.chunk(bytes, size: "size") + ResponseWriter.lastChunk
        case .chunkTooLong:
            ResponseWriter.chunk(bytes + [UInt8(ascii: "x")], size: String(bytes.count, radix: 16))
                + ResponseWriter.lastChunk
        case .lastChunkMissing: ResponseWriter.chunk(bytes)
        }
    }
}
