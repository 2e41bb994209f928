// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// The functions that nghttp2 calls while the codec is inside a call of nghttp2. The context is the codec, which lives
// as long as its session.

extension HTTP2Codec {
    static var events: ccurl_http2_events {
        ccurl_http2_events(
            field: { context, stream, line, length in
                codec(context).receiveField(stream, UnsafeBufferPointer(start: line, count: length)) ? 0 : -1
            },
            content: { context, stream, bytes, length in
                codec(context).receiveContent(stream, UnsafeRawBufferPointer(start: bytes, count: length)) ? 0 : -1
            },
            frame: { context, frame in codec(context).receive(frame) },
            invalid: { context, stream, reason in codec(context).receiveInvalid(stream, String(cString: reason)) },
            closed: { context, stream, code in codec(context).receiveClosed(stream, code) },
            sent: { context, stream in codec(context).noteSent(stream) },
            read: { context, stream, buffer, capacity, isEnd in
                let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
                return codec(context).readContent(stream, into: buffer, &isEnd.pointee)
            }
        )
    }
}

private func codec(_ context: UnsafeMutableRawPointer) -> HTTP2Codec {
    Unmanaged<HTTP2Codec>.fromOpaque(context).takeUnretainedValue()
}

// MARK: Responses

extension HTTP2Codec {
    fileprivate func receiveField(_ number: Int32, _ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let stream = streams[number], stream.failure == nil else { return false }
        do throws(ResponseError) {
            try stream.receiveField(line)
            return true
        } catch {
            stream.failure = TransferFailure(error, stage: stream.head.stage)
            return false
        }
    }

    fileprivate func receiveContent(_ number: Int32, _ content: UnsafeRawBufferPointer) -> Bool {
        guard let stream = streams[number], stream.failure == nil else { return true }
        if !content.isEmpty { budget.allow(1) }
        watch.noteResponse()
        stream.transfer.noteReceived(at: now)
        do throws(TransferFailure) {
            try stream.transfer.receiveContent(content, at: now)
            connection?.transfers.signalLater(stream.transfer)
            consume(content.count, of: stream)
            return true
        } catch {
            stream.failure = error
            return false
        }
    }

    /// Lets the server send as many further bytes, unless the response is paused for its reader.
    private func consume(_ count: Int, of stream: HTTP2Stream) {
        if stream.transfer.attempt.isPaused {
            stream.heldCount += count
        } else {
            if !stream.isWide { widen(stream) }
            ccurl_http2_consume(session, stream.number, count)
        }
    }

    /// Widens the window of a long response, once its content arrives. A short response does not need it, and one that
    /// is read slowly would fill it.
    private func widen(_ stream: HTTP2Stream) {
        let transfer = stream.transfer
        let count = transfer.attempt.progress.contentByteCount
        let isLong = stream.head.contentLength.map { $0 > 16 << 10 } ?? (count > 8 << 10)
        guard isLong, transfer.feed == nil || isReaderFast(transfer) else { return }
        stream.isWide = true
        let window = transfer.feed == nil ? Self.wideStreamWindow : Self.wideReaderWindow
        ccurl_http2_set_window(session, stream.number, window)
    }

    /// Whether the reader of a response keeps up, and there are not many readers.
    private func isReaderFast(_ transfer: Transfer) -> Bool {
        transfer.takenByteCount > 64 << 10 && ResponseFeed.allowance >= 64 << 10
    }

    fileprivate func receive(_ frame: ccurl_frame) {
        switch HTTP2FrameType(rawValue: frame.type) {
        case .goAway: ending.receive(frame)
        case .headers: receiveHead(frame)
        case .data: if frame.flags & 1 != 0 { complete(frame.stream) }
        case .reset: streams[frame.stream]?.isReset = true
        case .ping: receivePing(frame)
        case .settings: if frame.flags & 1 == 0 { receiveSettings() }
        case nil: break
        }
    }

    fileprivate func receiveHead(_ frame: ccurl_frame) {
        guard let stream = streams[frame.stream], stream.failure == nil else { return }
        budget.allow(1)
        watch.noteResponse()
        stream.transfer.noteReceived(at: now)
        do {
            let head = try stream.receiveEndOfHead()
            if stream.head.isBetweenHeads, let informational = stream.head.partialHead {
                stream.transfer.receiveInformational(informational)
            }
            if let head {
                let hasContent = stream.transfer.request.method != .head && !stream.head.hasNoContent
                try stream.transfer.receiveHead(
                    head,
                    contentLength: stream.head.contentLength,
                    hasContent: hasContent
                )
            }
            connection?.transfers.signalLater(stream.transfer)
            if frame.flags & 1 != 0 { complete(frame.stream) }
        } catch {
            stream.failure =
                (error as? TransferFailure)
                ?? (error as? ResponseError).map { TransferFailure($0, stage: stream.head.stage) }
            ccurl_http2_reset(session, frame.stream, HTTP2ErrorCode.cancel.rawValue)
        }
    }

    /// Handles the end of the response.
    private func complete(_ number: Int32) {
        guard let stream = streams[number], stream.failure == nil, stream.head.isComplete else { return }
        budget.allow(1)
        streams.remove(number)
        // The server does not want the rest of the content; even its end waits for a window.
        if !stream.isRequestEnded {
            ccurl_http2_reset(session, number, HTTP2ErrorCode.cancel.rawValue)
        }
        stream.transfer.attempt.proveCompleteness()
        stream.transfer.receiveTrailers(stream.trailers)
        stream.detach()
        connection?.complete(stream.transfer)
    }

    /// What the server sends of a stream before it learns of the reset is no flood (RFC 9113 §5.1).
    func expectRest(of stream: HTTP2Stream) {
        let isCollected = stream.transfer.feed == nil
        let wide = isCollected ? Self.wideStreamWindow : Self.wideReaderWindow
        budget.allowRest(window: stream.isWide ? Int(wide) : Int(Self.streamWindow))
    }

    private func receivePing(_ frame: ccurl_frame) {
        guard frame.flags & 1 != 0, let connection, watch.receiveAnswer() else { return }
        ping(on: connection)
    }

    fileprivate func receiveInvalid(_ number: Int32, _ reason: String) {
        let failure = Self.malformed("the server breaks the protocol of HTTP/2: \(reason)")
        guard number != 0, let stream = streams[number] else {
            ending.begin(failure)
            return
        }
        stream.hasResponded = true
        if stream.failure == nil { stream.failure = failure }
    }

    /// Handles a stream that was closed, by its end or by a reset.
    fileprivate func receiveClosed(_ number: Int32, _ code: UInt32) {
        guard let stream = streams[number] else { return }
        streams.remove(number)
        stream.detach()
        if !stream.isReset { expectRest(of: stream) }
        let isOwnReset = !stream.isReset && stream.failure == nil
        if isOwnReset, code == HTTP2ErrorCode.flowControlError.rawValue { endOutsideWindow() }
        let transfer = stream.transfer
        let mayBeRepeated = !stream.hasResponded && stream.failure == nil
        if mayBeRepeated, isUnprocessed(transfer, code, isReset: stream.isReset) { return }
        var failure = stream.failure ?? ending.failure ?? Self.reason(ofEndOf: stream, code)
        failure.stage = stream.stage
        failure.sent = transfer.attempt.progress.sent
        connection?.fail(transfer, failure)
    }

    /// Schedules the repetition of a request that the server has not processed (RFC 9113 §8.7). Returns whether the
    /// code says so.
    private func isUnprocessed(_ transfer: Transfer, _ code: UInt32, isReset: Bool) -> Bool {
        // nghttp2 refuses the streams that a GOAWAY excludes.
        if ending.requiresHTTP1 { _ = transfer.requireHTTP1() }
        switch HTTP2ErrorCode(rawValue: code) {
        case .refusedStream where exceedsServerLimit(with: 1): rejected.addForRoom(transfer)
        case .refusedStream: rejected.addUnprocessed(transfer)
        case .http11Required where isReset && transfer.requireHTTP1(): rejected.addUnprocessed(transfer)
        default: return false
        }
        return true
    }

    /// The server has sent more of a response than its window allows, or made a window larger than it may be. It will
    /// not keep to other limits either, so the connection ends (RFC 9113 §6.9.1 and §6.9.2).
    private func endOutsideWindow() {
        guard ending.failure == nil else { return }
        ending.begin(Self.outsideWindow)
        ccurl_http2_end(session, HTTP2ErrorCode.flowControlError.rawValue)
        connection?.stopSharing()
    }
}

// MARK: Ends

extension HTTP2Codec {
    /// nghttp2 has ended the connection by itself; it does not report each frame that it cannot read.
    static let broken = malformed("the server breaks the protocol of HTTP/2")

    /// The server has reset a stream, or nghttp2 has, because the response is malformed.
    fileprivate static func reason(ofEndOf stream: HTTP2Stream, _ code: UInt32) -> TransferFailure {
        let name = HTTP2ErrorCode.name(code)
        return stream.isReset || code == HTTP2ErrorCode.refusedStream.rawValue
            ? lost("the server reset the stream: \(name)")
            : malformed("the response breaks the protocol of HTTP/2: \(name)")
    }
}

/// The types of frames that the codec looks at (RFC 9113 §6).
private enum HTTP2FrameType: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case ping = 6
    case goAway = 7
}

// MARK: Requests

extension HTTP2Codec {
    /// Records that the head of a request was written.
    fileprivate func noteSent(_ number: Int32) {
        guard let stream = streams[number] else { return }
        stream.isSent = true
        stream.transfer.noteSent(head: stream.transfer.head.bytes.count, at: now)
    }

    fileprivate func readContent(
        _ number: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        _ isEnd: inout Bool
    ) -> Int {
        // The stream is about to be reset.
        guard let stream = streams[number] else { return -1 }
        let transfer = stream.transfer
        let count = transfer.attempt.upload.withUnsafeBytes(limit: buffer.count) { bytes in
            buffer.copyMemory(from: bytes)
            return bytes.count
        }
        if count > 0 { transfer.attempt.upload.noteSent(count) }
        isEnd = transfer.attempt.upload.isFinished
        stream.isRequestEnded = isEnd
        transfer.askForContent()
        // The server may update both windows after each few hundred bytes.
        budget.allow(1 + count >> 10)
        transfer.noteSent(head: transfer.head.bytes.count, at: now)
        return count
    }
}
