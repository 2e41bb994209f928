// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension Transfer {
    /// Records what was sent of the request so far.
    ///
    /// - Parameter head: The number of bytes of the head. The bytes of the content are those that ``upload`` counts.
    func noteSent(head: Int, at now: Int64) {
        // The response may begin before the request is complete.
        if attempt.progress.sent == .notSent { attempt.progress.sent = .maybeSent }
        attempt.progress.requestHeadByteCount = head
        attempt.progress.requestContentByteCount = attempt.upload.sentCount
        deadlines.sent(at: now)
        // Until the whole head is sent, nothing is known of the content.
        guard report != nil, head == self.head.bytes.count else { return }
        report?.report(sent: attempt.upload.sentCount, isComplete: attempt.upload.isFinished, at: now)
    }

    /// Processes an answer of the content's source.
    func takeContent(_ answer: ContentPump.Answer, at now: Int64) throws(TransferFailure) {
        deadlines.sourceIsReady(at: now)
        do throws(TransferFailure) {
            try attempt.upload.take(answer)
        } catch {
            if case .failed(let cause) = answer { noteSourceError(cause) }
            throw error
        }
    }

    /// Records that part of the response has arrived.
    func noteReceived(at now: Int64) {
        if attempt.firstByte == 0 { attempt.firstByte = now }
        deadlines.received(at: now)
    }

    /// Processes the head of an informational response.
    func receiveInformational(_ head: ResponseHead) {
        report?.reportInformational(head)
    }

    /// Processes the final head.
    func receiveHead(_ head: ResponseHead, contentLength: Int?, hasContent: Bool) throws(TransferFailure) {
        attempt.progress.head = head
        attempt.progress.isHeadComplete = true
        attempt.progress.contentLength = contentLength
        attempt.progress.sent = .responded
        report?.reportHead(statusCode: head.statusCode, contentLength: contentLength)
        if let feed { return feed.put(head) }
        if hasContent, let contentLength, contentLength > responseRules.bodyLimit { throw tooLarge }
    }

    /// Processes a part of the content, without the framing of the connection.
    func receiveContent(_ content: UnsafeRawBufferPointer, at now: Int64) throws(TransferFailure) {
        attempt.progress.contentByteCount &+= content.count
        defer { report?.report(received: attempt.progress.contentByteCount, at: now) }
        if feed != nil { return gather(content, at: now) }
        if attempt.progress.contentByteCount > responseRules.bodyLimit { throw tooLarge }
        guard attempt.received.append(content, expected: expectedContentByteCount) else {
            throw TransferFailure(
                code: .transportFailed,
                stage: .body,
                sent: .responded,
                reason: "there is no memory for the response's content"
            )
        }
    }

    /// Stores the trailer field lines.
    func receiveTrailers(_ lines: [UInt8]) {
        if lines.isEmpty { return }
        if feed != nil { attempt.progress.trailers = lines }
        report?.reportTrailers(ResponseHead(rawTrailers: lines).headers)
    }

    /// The number of bytes to reserve for the content: the announced length within limits, and more once some content
    /// has arrived.
    ///
    /// Growing step by step would copy the content repeatedly; reserving all of it immediately would let a server claim
    /// memory for nothing.
    private var expectedContentByteCount: Int {
        let limit = attempt.progress.contentByteCount > 1 << 20 ? 64 << 20 : 1 << 20
        return max(0, min(attempt.progress.contentLength ?? 0, responseRules.bodyLimit, limit))
    }

    private var tooLarge: TransferFailure {
        let announced = attempt.progress.contentLength.map { ": it announces \($0)" } ?? ""
        let limit = responseRules.bodyLimit
        return TransferFailure(
            code: .responseTooLarge,
            stage: .body,
            sent: .responded,
            reason: "the response's content exceeds \(limit) bytes, \(Setting.bodyLimit.limit)\(announced)"
        )
    }
}

extension ResponseHead {
    /// Keeps the trailer field lines, which are parsed when they are needed.
    init(rawTrailers: [UInt8]) {
        self.init(statusCode: 200, reasonPhrase: "", httpVersion: .http1_1, rawFields: rawTrailers)
    }
}
