// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// The content of a request while one attempt sends it, without the framing of the connection. Only the loop uses it
/// once the transfer has started.
struct Upload {
    /// The whole content in memory, or the part of a stream that is being sent.
    private var bytes: Data
    /// The number of bytes of it that the connection has taken.
    private var takenOfBytes = 0
    /// The number of bytes of content that were sent.
    private(set) var sentCount = 0
    /// The state of content that is produced while it is sent; `nil` for content in memory.
    private var production: Production?

    private struct Production {
        let pump: ContentPump
        /// The number of bytes that the source has produced.
        var count = 0
        /// Whether an answer of the source is awaited.
        var isAsked = false
        /// Whether the source may no longer be at its beginning.
        var isTouched = false
        var isEnded = false
    }

    init(_ content: RequestContent) {
        switch content {
        case .absent: bytes = Data()
        case .inMemory(let content): bytes = content
        case .streamed(let pump):
            bytes = Data()
            production = Production(pump: pump)
        }
    }

    /// Whether there are bytes that can be sent now.
    var hasBytes: Bool { takenOfBytes < bytes.count }
    /// Whether the connection has taken everything, and the source has ended.
    var isFinished: Bool { !hasBytes && isComplete }
    /// Whether the source has produced everything, and has said so.
    var isComplete: Bool { production?.isEnded ?? true }
    /// Whether the content can be sent again from its beginning.
    var isRepeatable: Bool { production.map { !$0.isTouched || $0.pump.isRewindable } ?? true }

    /// Calls the closure with the bytes that can be sent now, at most `limit` of them. Mutating, so that nothing is
    /// copied for the call.
    mutating func withUnsafeBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[takenOfBytes...].prefix(limit))) }
    }

    /// Counts sent bytes of the content.
    mutating func noteSent(_ count: Int) {
        takenOfBytes += count
        sentCount += count
    }

    /// Moves the bytes that can be sent now to a connection that frames them.
    mutating func takePart() -> Data {
        defer { takenOfBytes = bytes.count }
        return takenOfBytes == 0 ? bytes : bytes.dropFirst(takenOfBytes)
    }

    /// Counts sent bytes of content that a connection has framed.
    mutating func noteFramedSent(_ count: Int) {
        sentCount += count
    }

    /// The content for another attempt, at its beginning. This one is over.
    func repeated(_ content: RequestContent) -> Upload {
        guard let production else { return Upload(content) }
        return Upload(.streamed(production.isTouched ? production.pump.repeated() : production.pump))
    }

    /// Ends the content: no more is needed.
    func end() {
        production?.pump.end()
    }
}

// MARK: Production

extension Upload {
    /// Asks the source for its next part, if everything before is sent. Returns whether an answer of the source is
    /// awaited.
    mutating func askForMore() -> Bool {
        guard !hasBytes, let current = production, !current.isEnded else { return false }
        if current.isAsked { return true }
        production?.isAsked = true
        production?.isTouched = true
        current.pump.ask()
        return true
    }

    /// Whether an answer of this pump is awaited. An answer for an earlier attempt is too late.
    func awaits(_ pump: ContentPump) -> Bool { production?.pump === pump }

    /// Processes an answer of the source.
    ///
    /// - Throws: The failure of the transfer.
    mutating func take(_ answer: ContentPump.Answer) throws(TransferFailure) {
        production?.isAsked = false
        switch answer {
        case .part(let part): try take(part)
        case .last(let part):
            try take(part)
            production?.isEnded = true
        case .end: try takeEnd()
        case .failed(let error as SwiftyError): throw .unreadable(error.reason, error.code)
        // The cause becomes the underlying error; its text may hold secrets.
        case .failed: throw .unreadable("the source of the content failed")
        }
    }

    private mutating func take(_ part: Data) throws(TransferFailure) {
        guard var current = production else { return }
        current.count += part.count
        production = current
        if let length = current.pump.length, current.count > length {
            throw .unreadable(ContentPump.excess(of: length).reason)
        }
        takenOfBytes = 0
        bytes = part
    }

    private mutating func takeEnd() throws(TransferFailure) {
        guard let current = production else { return }
        if let length = current.pump.length, current.count < length {
            throw .unreadable("the content ends after \(current.count) of the \(length) bytes that were announced")
        }
        production?.isEnded = true
        (bytes, takenOfBytes) = (Data(), 0)
    }
}

extension TransferFailure {
    fileprivate static func unreadable(
        _ reason: String,
        _ code: SwiftyError.Code = .contentUnreadable
    ) -> TransferFailure {
        TransferFailure(code: code, stage: .send, sent: .maybeSent, reason: reason)
    }
}
