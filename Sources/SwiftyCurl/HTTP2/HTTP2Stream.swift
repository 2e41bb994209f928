// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// One exchange on an HTTP/2 connection (RFC 9113 §5): its transfer, and its response as it arrives.
final class HTTP2Stream {
    let number: Int32
    let transfer: Transfer
    @exclusivity(unchecked) private(set) var head: HeadCollector
    /// The trailer field lines.
    @exclusivity(unchecked) private(set) var trailers: [UInt8] = []
    /// The number of received bytes for which the window stays closed, because the reader has not taken them yet.
    var heldCount = 0
    /// Whether the flow-control window was widened for a long response.
    @exclusivity(unchecked) var isWide = false
    /// Whether the head of the request was written.
    @exclusivity(unchecked) var isSent = false
    /// Whether the end of the request was written; always true without content, since the head is then the end.
    @exclusivity(unchecked) var isRequestEnded: Bool
    /// Whether the server has begun to respond, even if the response cannot be read.
    @exclusivity(unchecked) var hasResponded = false
    /// Whether the server has reset the stream.
    var isReset = false
    /// The failure for which this side resets the stream.
    @exclusivity(unchecked) var failure: TransferFailure?

    init(number: Int32, transfer: Transfer) {
        self.number = number
        self.transfer = transfer
        isRequestEnded = !transfer.content.mayHaveBytes
        head = HeadCollector(rules: transfer.responseRules, connectionVersion: .http2)
    }

    var stage: SwiftyError.Stage {
        head.stage == .firstByte && !transfer.attempt.upload.isFinished ? .send : head.stage
    }

    /// Processes a field of a head or of the trailers, written as a line of HTTP/1.1.
    func receiveField(_ line: UnsafeBufferPointer<UInt8>) throws(ResponseError) {
        hasResponded = true
        let isTrailer = head.isComplete
        if let error = head.append(line) { throw error }
        if isTrailer { trailers += line }
    }

    /// Processes the end of a head. Returns the head if it is the final one.
    func receiveEndOfHead() throws(ResponseError) -> ResponseHead? {
        hasResponded = true
        if head.isComplete { return nil }
        let end: [UInt8] = [.carriageReturn, .lineFeed]
        let error = end.withUnsafeBufferPointer { head.append($0) }
        if let error { throw error }
        return head.head
    }

    /// Releases the transfer, which keeps what has arrived of the head.
    func detach() {
        transfer.detach(partialHead: head.partialHead, headByteCount: head.byteCount)
    }
}
