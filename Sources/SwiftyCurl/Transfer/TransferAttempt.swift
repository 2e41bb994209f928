// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// One attempt of a transfer: everything that a repetition must not inherit. A repetition begins with a new value;
/// everything else in ``Transfer`` is kept.
struct TransferAttempt: ~Copyable {
    /// The progress of sending the content.
    var upload: Upload
    private(set) var progress = ResponseProgress()
    /// The content of the response that has arrived.
    var received = ContentBuffer()
    /// The part of a streamed response that is gathered for the reader.
    var part = PartBuffer()
    /// Whether the connection waits until the reader has taken the arrived bytes.
    private(set) var isPaused = false
    /// The end of the wait for a 100 response, in monotonic nanoseconds.
    private(set) var continueDeadline = Int64.max
    private(set) var isConnectionReused = false
    /// The stream of HTTP/2; zero without one.
    private(set) var stream: Int32 = 0
    /// The times at which the connection was ready, and of the first byte of the response; zero until then.
    private(set) var ready: Int64 = 0
    private(set) var firstByte: Int64 = 0

    init(_ upload: Upload) {
        self.upload = upload
    }

    mutating func connectionIsReady(at now: Int64, isReused: Bool) {
        ready = now
        isConnectionReused = isReused
    }

    mutating func begin(stream: Int32) {
        self.stream = stream
    }

    mutating func noteSent(head: Int) {
        // The response may begin before the request is complete.
        if progress.sent == .notSent { progress.sent = .maybeSent }
        progress.requestHeadByteCount = head
        progress.requestContentByteCount = upload.sentCount
    }

    /// Begins to wait for a 100 response.
    mutating func awaitContinue(until deadline: Int64) {
        continueDeadline = deadline
    }

    mutating func stopAwaitingContinue() {
        continueDeadline = .max
    }
}

// MARK: The response

extension TransferAttempt {
    mutating func pause() {
        isPaused = true
    }

    mutating func unpause() {
        isPaused = false
    }

    mutating func noteReceived(at now: Int64) {
        if firstByte == 0 { firstByte = now }
    }

    mutating func receive(_ head: ResponseHead, contentLength: Int?) {
        progress.head = head
        progress.isHeadComplete = true
        progress.contentLength = contentLength
        progress.sent = .responded
    }

    mutating func countContent(_ count: Int) {
        progress.contentByteCount &+= count
    }

    mutating func receive(trailers: [UInt8]) {
        progress.trailers = trailers
    }

    mutating func proveCompleteness() {
        progress.isCompletenessProven = true
    }

    /// Records the end of the exchange.
    ///
    /// - Parameters:
    ///   - partialHead: The part of the final head that has arrived, unless all of it has.
    ///   - headByteCount: The number of bytes of all heads and of the trailers.
    mutating func end(partialHead: @autoclosure () -> ResponseHead?, headByteCount: Int) {
        progress.headByteCount = headByteCount
        if !progress.isHeadComplete { progress.head = partialHead() }
    }
}
