// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension Transfer {
    /// Processes the head of an informational response.
    func receiveInformational(_ head: ResponseHead) {
        report?.reportInformational(head)
    }

    /// Processes the final head.
    func receiveHead(_ head: ResponseHead, contentLength: Int?, hasContent: Bool) throws(TransferFailure) {
        attempt.receive(head, contentLength: contentLength)
        report?.reportHead(statusCode: head.statusCode, contentLength: contentLength)
        if let feed { return feed.put(head) }
        if hasContent, let contentLength, contentLength > responseRules.contentLimit { throw tooLarge }
    }

    /// Processes a part of the content, without the framing of the connection.
    func receiveContent(_ content: UnsafeRawBufferPointer, at now: Int64) throws(TransferFailure) {
        attempt.countContent(content.count)
        defer { report?.report(received: attempt.progress.contentByteCount, at: now) }
        if feed != nil { return gather(content, at: now) }
        if attempt.progress.contentByteCount > responseRules.contentLimit { throw tooLarge }
        guard attempt.received.append(content, expected: expectedContentByteCount) else {
            throw TransferFailure(
                code: .transportFailed,
                stage: .content,
                sent: .responded,
                reason: "there is no memory for the response's content"
            )
        }
    }

    /// Stores the trailer field lines.
    func receiveTrailers(_ lines: [UInt8]) {
        if lines.isEmpty { return }
        if feed != nil { attempt.receive(trailers: lines) }
        report?.reportTrailers(ResponseHead(rawTrailers: lines).headers)
    }

    /// The number of bytes to reserve for the content: the announced length within limits, and more once some content
    /// has arrived.
    ///
    /// Growing step by step would copy the content repeatedly; reserving all of it immediately would let a server claim
    /// memory for nothing.
    private var expectedContentByteCount: Int {
        let limit = attempt.progress.contentByteCount > 1 << 20 ? 64 << 20 : 1 << 20
        return max(0, min(attempt.progress.contentLength ?? 0, responseRules.contentLimit, limit))
    }

    private var tooLarge: TransferFailure {
        let announced = attempt.progress.contentLength.map { ": it announces \($0)" } ?? ""
        let limit = responseRules.contentLimit
        return TransferFailure(
            code: .responseTooLarge,
            stage: .content,
            sent: .responded,
            reason: "the response's content exceeds \(limit) bytes, \(Setting.contentLimit.limit)\(announced)"
        )
    }
}

extension ResponseHead {
    /// Keeps the trailer field lines, which are parsed when they are needed.
    init(rawTrailers: [UInt8]) {
        self.init(statusCode: 200, reasonPhrase: "", httpVersion: .http1_1, rawFields: rawTrailers)
    }
}
