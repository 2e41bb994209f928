// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The progress of streamed content, its transfer and its load: event in, decision out.
///
/// The reader decides about the end of the load as long as it reads: it knows more than the transport, for example that
/// the content is damaged and the transfer was ended for this reason.
struct ContentProgress {
    struct Ending {
        let metrics: LoadMetrics
        let error: SwiftyError?
    }

    /// The number of bytes that the reader has.
    private(set) var decoded = 0
    /// The number of calls of `next` that wait.
    private var readers = 0
    /// Whether the reader has come to the end, after which it gets the outcome of the load.
    var isRead = false
    private var transferEnd: Result<Void, SwiftyError>?
    private(set) var cancellation: SwiftyError?
    /// Where a shutdown may end the stream; `nil` if it gives it time.
    var boundary: StreamBoundary?
    /// Whether the stream is to end at the next boundary.
    private var isClosing = false
    /// Whether the content tells when its transfer has ended. If so, a cancellation ends the transfer first, and the
    /// load has its measurements.
    var reportsEnd = true
    var registration: LoadCancellation.Registration?
    var ending: Ending?

    /// - Returns: The end of the load if everything is read.
    mutating func beginReading() -> Ending? {
        if isRead, let ending { return ending }
        readers += 1
        return nil
    }

    /// - Returns: The error to end the load with; `nil` to leave it open.
    mutating func endReading(_ part: Data) -> SwiftyError? {
        readers -= 1
        decoded += part.count
        boundary?.append(part)
        return earlyEnd
    }

    /// Ends the stream at the next boundary, because of a shutdown.
    ///
    /// - Returns: Whether it has reached one, and is to be ended now.
    mutating func close() -> Bool {
        isClosing = true
        return endsNow
    }

    /// Whether a shutdown ends the stream here, between two elements. Content that has arrived completely is not cut.
    var endsNow: Bool {
        if case .success = transferEnd { return false }
        return isClosing && ending == nil && cancellation == nil && boundary?.isReached ?? false
    }

    /// The error of a stream that a shutdown has ended between two elements, after which nothing more is read.
    var closingError: SwiftyError? { isClosing ? cancellation : nil }

    /// The part that a reader gets: while the stream is to end, up to the last boundary in it, where it is ended then.
    /// If the transfer has failed, the reader gets all that has arrived, and the error.
    func cut(_ part: Data) -> Data {
        guard case nil = transferEnd, isClosing, let count = boundary?.lastEnd(in: part) else { return part }
        return part.prefix(count)
    }

    /// - Returns: The error to end the load with; `nil` to leave it open.
    mutating func endTransfer(with error: SwiftyError?) -> SwiftyError? {
        transferEnd = if let error { .failure(error) } else { .success(()) }
        return earlyEnd
    }

    /// - Returns: As ``endTransfer(with:)``.
    mutating func cancel(with error: SwiftyError) -> SwiftyError? {
        cancellation = error
        return earlyEnd
    }

    private var earlyEnd: SwiftyError? {
        guard ending == nil, readers == 0 else { return nil }
        return switch transferEnd {
        // A shutdown ends the transfer itself, between two elements.
        case .failure(let error): isClosing ? cancellation ?? error : error
        case .success: cancellation
        case nil: reportsEnd ? nil : cancellation
        }
    }
}
