// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// The functions that nghttp2 calls while the codec is inside a call of nghttp2. The context is the codec, which lives
// as long as its session.

extension HTTP2Codec {
    static var events: ccurl_http2_events {
        ccurl_http2_events(
            field: { context, stream, name, nameLength, value, valueLength in
                codec(context).receiveField(
                    stream,
                    UnsafeBufferPointer(start: name, count: nameLength),
                    UnsafeBufferPointer(start: value, count: valueLength)
                ) ? 0 : -1
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
    fileprivate func receiveField(
        _ number: Int32,
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let stream = streams[number], stream.failure == nil else { return false }
        do throws(ResponseError) {
            try stream.receiveField(name, value, by: &line)
            return true
        } catch {
            stream.failure = TransferFailure(error, stage: stream.head.stage)
            return false
        }
    }

    fileprivate func receiveContent(_ number: Int32, _ content: UnsafeRawBufferPointer) -> Bool {
        guard let stream = streams[number], stream.failure == nil else { return true }
        stream.transfer.noteReceived(at: now)
        do throws(TransferFailure) {
            try stream.transfer.receiveContent(content, at: now)
            ccurl_http2_consume(session, number, content.count)
            return true
        } catch {
            stream.failure = error
            return false
        }
    }

    fileprivate func receive(_ frame: ccurl_frame) {
        switch HTTP2FrameType(rawValue: frame.type) {
        case .goAway: receiveGoAway(frame)
        case .headers: receiveHead(frame)
        case .data: if frame.flags & 1 != 0 { complete(frame.stream) }
        case .reset: streams[frame.stream]?.isReset = true
        case nil: break
        }
    }

    fileprivate func receiveHead(_ frame: ccurl_frame) {
        guard let stream = streams[frame.stream], stream.failure == nil else { return }
        stream.transfer.noteReceived(at: now)
        do {
            if let head = try stream.receiveEndOfHead() {
                let hasContent = stream.transfer.request.method != .head && !stream.head.hasNoContent
                try stream.transfer.receiveHead(
                    head,
                    contentLength: stream.head.contentLength,
                    hasContent: hasContent
                )
            }
            if frame.flags & 1 != 0 { complete(frame.stream) }
        } catch {
            stream.failure =
                (error as? TransferFailure)
                ?? (error as? ResponseError).map { TransferFailure($0, stage: stream.head.stage) }
            ccurl_http2_reset(session, frame.stream, HTTP2ErrorCode.cancel.rawValue)
        }
    }

    /// The server has sent the end of the response.
    private func complete(_ number: Int32) {
        guard let stream = streams[number], stream.failure == nil, stream.head.isComplete,
            let connection = stream.transfer.connection
        else { return }
        streams[number] = nil
        // The server does not want the rest of the content.
        if stream.hasUnsentContent { ccurl_http2_reset(session, number, HTTP2ErrorCode.cancel.rawValue) }
        stream.transfer.progress.isCompletenessProven = true
        stream.detach()
        connection.loop.complete(stream.transfer, on: connection)
    }

    fileprivate func receiveGoAway(_ frame: ccurl_frame) {
        lastStream = min(lastStream ?? .max, frame.last_stream)
        guard frame.error_code != HTTP2ErrorCode.noError.rawValue, ending == nil else { return }
        ending = Self.lost("the server ended the connection: \(HTTP2ErrorCode.name(frame.error_code))")
    }

    fileprivate func receiveInvalid(_ number: Int32, _ reason: String) {
        let failure = Self.malformed("the server breaks the protocol of HTTP/2: \(reason)")
        guard number != 0, let stream = streams[number] else {
            ending = ending ?? failure
            return
        }
        stream.hasResponded = true
        if stream.failure == nil { stream.failure = failure }
    }

    /// A stream is closed, by its end or by a reset.
    fileprivate func receiveClosed(_ number: Int32, _ code: UInt32) {
        guard let stream = streams[number], let connection = stream.transfer.connection else { return }
        streams[number] = nil
        stream.detach()
        let transfer = stream.transfer
        if code == HTTP2ErrorCode.refusedStream.rawValue, !stream.hasResponded, stream.failure == nil {
            return unprocessed.append(transfer)
        }
        var failure = stream.failure ?? ending ?? Self.reason(ofEndOf: stream, code)
        failure.stage = stream.stage
        failure.sent = transfer.progress.sent
        connection.loop.fail(transfer, failure, on: connection.facts)
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
    case goAway = 7
}

// MARK: Requests

extension HTTP2Codec {
    /// The head of a request was written.
    fileprivate func noteSent(_ number: Int32) {
        guard let stream = streams[number] else { return }
        stream.isSent = true
        stream.transfer.noteSent(head: stream.transfer.head.bytes.count, content: 0, at: now)
    }

    fileprivate func readContent(
        _ number: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        _ isEnd: inout Bool
    ) -> Int {
        guard let stream = streams[number] else {
            isEnd = true
            return 0
        }
        let transfer = stream.transfer
        let count = transfer.content.withUnsafeBytes(from: stream.contentSent, limit: buffer.count) { bytes in
            buffer.copyMemory(from: bytes)
            return bytes.count
        }
        stream.contentSent += count
        isEnd = !stream.hasUnsentContent
        budget.allow(1)
        transfer.noteSent(head: transfer.head.bytes.count, content: stream.contentSent, at: now)
        return count
    }
}
