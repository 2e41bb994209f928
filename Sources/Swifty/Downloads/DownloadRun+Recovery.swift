// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// The state of the continuations in one call of `download`.
struct Resumption: Sendable {
    /// Whether the part that has arrived may be continued.
    let isAllowed: Bool
    /// The number of consecutive continuations without a new byte after which the download fails.
    let maximum: Int
    /// Whether a response has been accepted in this call.
    var hasBegun = false
    /// The largest number of bytes that have been on the disk.
    var furthest = 0
    /// The number of continuations so far.
    var count = 0
    /// The number of consecutive failures without a new byte.
    private var failures = 0
    /// Whether the part was given up because the content had changed.
    var hasRestarted = false
    /// Whether the content of earlier calls was loaded again.
    var hasReplacedPart = false
    /// The number of bytes at which the link was renewed; `nil` if it was not.
    private var renewal: Int?

    init(isAllowed: Bool, maximum: Int) {
        self.isAllowed = isAllowed
        self.maximum = maximum
    }

    /// The longest wait that a server can ask for.
    private static let longestRetryAfter = RetryPolicy.standard.maximumRetryAfter
    private static let backoff = RetryPolicy.Backoff(initial: .milliseconds(20), maximum: .seconds(5))

    /// The pause before the next continuation; `nil` if none follows.
    ///
    /// - Parameters:
    ///   - length: The number of bytes on the disk.
    ///   - retryAfter: The wait that the server asks for; `nil` without one.
    mutating func pause(at length: Int, retryAfter: Duration?) -> Duration? {
        guard isAllowed, hasBegun, maximum > 0 else { return nil }
        failures = length > furthest ? 0 : failures + 1
        furthest = max(furthest, length)
        if failures > maximum { return nil }
        count += 1
        let backoff = Self.backoff.delay(beforeRetry: failures + 1, fraction: .random(in: 0.5..<1))
        return max(backoff, min(retryAfter ?? .zero, Self.longestRetryAfter))
    }

    /// Whether a new link may be made, which is allowed once for each part that arrives.
    mutating func mayRenew(at length: Int) -> Bool {
        guard isAllowed, length > renewal ?? -1 else { return false }
        renewal = length
        return true
    }
}

extension DownloadRun {
    /// Decides what follows a failed request: returns `nil` for another one, or the file if it was already complete.
    ///
    /// - Throws: The error, if nothing can follow.
    mutating func recover(from error: SwiftyError, _ point: ResumePoint?) async throws(SwiftyError) -> DownloadedFile? {
        if error.code == .unacceptableStatus, let head = error.head, let point {
            switch DownloadResponse(head, to: point) {
            case .complete: return try await finish(head, error.metrics ?? LoadMetrics())
            case .changed:
                try requireTime(after: error)
                try await restart(head)
                return nil
            default: break
            }
        }
        try requireTime(after: error)
        if try await renewLink(after: error) { return nil }
        guard error.isWorthResuming, !Task.isCancelled else { throw error }
        let (length, isResumable) = try await part.use { ($0.length, $0.record.validator != nil) }
        let retryAfter = error.retryAfter(now: Date())
        guard isResumable, let pause = resumption.pause(at: length, retryAfter: retryAfter) else { throw error }
        try requireTime(for: pause, after: error)
        guard (try? await resource.clock.sleep(for: pause)) != nil else { throw Self.cancellation }
        return nil
    }

    /// Throws the error, if a request after the pause could not end before the deadline of the caller.
    private func requireTime(for pause: Duration = .zero, after error: SwiftyError) throws(SwiftyError) {
        if let time = CallerDeadline.remaining, time <= pause { throw error }
    }

    /// The error of a download that was cancelled while it received nothing.
    static let cancellation = SwiftyError(
        .cancelled,
        stage: .content,
        sent: .responded,
        reason: "the load was cancelled"
    )

    /// Asks for a new link if the current one has expired; `false` if that was not the failure.
    private mutating func renewLink(after error: SwiftyError) async throws(SwiftyError) -> Bool {
        guard let renew = policy.renewLink, error.code == .unacceptableStatus,
            [401, 403, 404, 410].contains(error.statusCode ?? 0)
        else { return false }
        let length = try await part.use { $0.length }
        guard length > 0, resumption.mayRenew(at: length) else { return false }
        do {
            resource = caller.continued(by: try await renew())
        } catch let cause {
            if let error = SwiftyError(thrown: cause, stage: .content, sent: .responded) { throw error }
            var error = error
            error.underlying = cause
            throw error
        }
        if let failure = resource.draft.creationError { throw failure }
        let key = DownloadRecord.key(of: resource.draft.fullTarget)
        try await part.use { (writer) throws(FileFailure) in try writer.setKey(key) }
        return true
    }
}

extension SwiftyError {
    /// Whether the file failed, and not the transfer.
    var isOfFile: Bool {
        [.fileUnwritable, .fileExists, .fileInUse, .diskFull].contains(code)
    }

    /// Whether another request may continue the content, even if the response was malformed after its head.
    var isWorthResuming: Bool {
        isTransient || code == .circuitOpen || code == .malformedResponse && stage == .content
    }
}
