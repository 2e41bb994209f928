// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// The content of a request while it is sent. Only the loop uses it once the transfer has started.
struct Upload {
    /// The whole content in memory, or the part of a stream that is being sent.
    private var bytes: Data
    /// The number of bytes of it that were sent.
    private var sentOfBytes = 0
    /// The number of bytes of content that were sent.
    private(set) var sentCount = 0
    /// The state of content that is produced while it is sent; `nil` for content in memory.
    private var stream: Stream?
    /// Whether parts are framed as chunks if the length is unknown (RFC 9112 §7.1): with HTTP/1.1.
    var framesChunks = false

    private final class Stream {
        let pump: ContentPump
        let length: Int?
        /// The number of bytes that the source has produced since its beginning.
        var producedCount = 0
        var isAsked = false
        var isEnded = false
        /// Whether the source is no longer at its beginning.
        var isTouched = false
        /// Whether the next part is to be the first one again.
        var mustRewind = false
        /// Whether an answer is on its way that belongs to the attempt before.
        var ignoresAnswer = false
        /// The number of bytes of the current part that frame it as a chunk.
        var framingCount = 0

        /// Whether the source has produced everything. One with a length is still asked for more, which is an error.
        var isComplete: Bool { isEnded || producedCount == length }

        init(_ pump: ContentPump) {
            self.pump = pump
            length = pump.source.length
        }
    }

    init(_ content: RequestContent) {
        switch content {
        case .absent: bytes = Data()
        case .inMemory(let content): bytes = content
        case .streamed(let pump):
            bytes = Data()
            stream = Stream(pump)
        }
    }

    /// Whether there are bytes that can be sent now.
    var hasBytes: Bool { sentOfBytes < bytes.count }
    /// Whether everything was sent.
    var isFinished: Bool { !hasBytes && stream?.isComplete ?? true }
    /// Whether the content can be sent again from its beginning.
    var isRepeatable: Bool { stream.map { !$0.isTouched || $0.pump.source.isRewindable } ?? true }

    /// Calls the closure with the bytes that can be sent now, at most `limit` of them. Mutating, so that nothing is
    /// copied for the call.
    mutating func withUnsafeBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentOfBytes...].prefix(limit))) }
    }

    /// Bytes of the content were sent.
    mutating func noteSent(_ count: Int) {
        sentOfBytes += count
        guard let stream else {
            sentCount = sentOfBytes
            return
        }
        if !hasBytes { sentCount += bytes.count - stream.framingCount }
    }

    /// Prepares the content to be sent again.
    mutating func restart() {
        (sentOfBytes, sentCount) = (0, 0)
        guard let stream else { return }
        bytes = Data()
        stream.mustRewind = stream.isTouched
        stream.ignoresAnswer = stream.isAsked
        (stream.producedCount, stream.isEnded) = (0, false)
    }

    /// No more content is needed.
    func end() {
        stream?.pump.end()
    }
}

// MARK: Streams

extension Upload {
    /// Asks the source for its next part, if everything before is sent. Returns whether the source is waited for.
    @discardableResult
    func askForMore() -> Bool {
        guard !hasBytes, let stream, !stream.isEnded else { return false }
        if stream.isAsked { return !stream.isComplete }
        stream.isAsked = true
        stream.isTouched = true
        stream.pump.ask(isRewinding: stream.mustRewind)
        stream.mustRewind = false
        return !stream.isComplete
    }

    /// Takes an answer of the source. Returns whether there is something new to send.
    ///
    /// - Throws: The failure of the transfer.
    mutating func take(_ answer: ContentPump.Answer) throws(TransferFailure) -> Bool {
        guard let stream else { return false }
        stream.isAsked = false
        if stream.ignoresAnswer {
            stream.ignoresAnswer = false
            askForMore()
            return false
        }
        let asChunk = framesChunks && stream.length == nil
        switch answer {
        case .part(let part): try take(part, of: stream, asChunk: asChunk)
        case .end: try end(stream, asChunk: asChunk)
        case .failed(let error as SwiftyError): throw .unreadable(error.reason, error.code)
        // The cause becomes the underlying error; its text may hold secrets.
        case .failed: throw .unreadable("the source of the content failed")
        }
        return true
    }

    private mutating func take(_ part: Data, of stream: Stream, asChunk: Bool) throws(TransferFailure) {
        stream.producedCount += part.count
        if let length = stream.length, stream.producedCount > length {
            throw .unreadable("the content has more than the \(length) bytes that were announced")
        }
        sentOfBytes = 0
        bytes = asChunk ? Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8) : part
        stream.framingCount = bytes.count - part.count
    }

    private mutating func end(_ stream: Stream, asChunk: Bool) throws(TransferFailure) {
        if let length = stream.length, stream.producedCount < length {
            let produced = stream.producedCount
            throw .unreadable("the content ends after \(produced) of the \(length) bytes that were announced")
        }
        stream.isEnded = true
        sentOfBytes = 0
        bytes = asChunk ? Data("0\r\n\r\n".utf8) : Data()
        stream.framingCount = bytes.count
    }
}

extension TransferFailure {
    fileprivate static func unreadable(
        _ reason: String,
        _ code: SwiftyError.Code = .bodyUnreadable
    ) -> TransferFailure {
        TransferFailure(code: code, stage: .send, sent: .maybeSent, reason: reason)
    }
}
