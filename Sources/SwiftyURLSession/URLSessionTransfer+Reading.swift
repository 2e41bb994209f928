// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

// What the caller of a transfer waits for: the head, and the content part by part.

extension URLSessionTransfer {
    func head() async throws(SwiftyError) -> ResponseHead {
        while true {
            let (head, ending) = state.withLock { ($0.head, $0.ending) }
            if let head { return head }
            if case .failed(let error) = ending { throw complete(error) }
            await waitForChange { $0.head == nil && $0.ending == nil }
        }
    }

    /// Waits for the next bytes; `nil` at the end.
    func next() async throws(SwiftyError) -> Data? {
        let isBusy = state.withLock { state in
            defer { state.isRead = true }
            return state.isRead
        }
        if isBusy {
            throw SwiftyError(.transportFailed, stage: .content, reason: "another task is reading this content")
        }
        defer { state.withLock { $0.isRead = false } }
        while true {
            switch nextPart() {
            case .success(let part): return part
            case .failure(let error): throw complete(error)
            case nil: await waitForChange { $0.parts.isEmpty && $0.ending == nil }
            }
        }
    }

    /// The next part, or the end; `nil` as long as there is neither.
    private func nextPart() -> Result<Data?, SwiftyError>? {
        state.withLock { state in
            if case .failed(let error) = state.ending, error.code != .connectionLost { return .failure(error) }
            if !state.parts.isEmpty { return .success(state.parts.removeFirst()) }
            switch state.ending {
            case .complete: return .success(nil)
            case .failed(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    /// Waits until a condition no longer holds, or something else has changed.
    private func waitForChange(while isWaiting: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard isWaiting(state) else { return false }
                    state.waiter = continuation
                    return true
                }
                if !isNeeded { continuation.resume() }
            }
        } onCancel: {
            cancel(with: .cancelled)
        }
    }

    /// Reads to the end. An error contains what arrived.
    func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        do throws(SwiftyError) {
            while let part = try await next() { bytes += part }
            return bytes
        } catch {
            var error = error
            error.content = bytes + state.withLock { $0.parts.reduce(Data(), +) }
            throw error
        }
    }

    var failure: SwiftyError? {
        guard case .failed(let error) = state.withLock(\.ending) else { return nil }
        return complete(error)
    }

    private func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = NetworkRequest.Summary(request)
        error.head = state.withLock { $0.head }
        error.transfer = metrics
        return error
    }

    /// The measurements of the session, if it has any, and those of the transfer itself.
    var metrics: TransferMetrics {
        state.withLock { state in
            var metrics = TransferMetrics()
            if let measured = state.measured {
                metrics.queue = state.started - begin
                measured.fill(&metrics)
            }
            metrics.total = state.duration ?? (.now - begin)
            metrics.requestContentBytes = state.sent
            metrics.responseContentBytes = state.received
            return metrics
        }
    }
}
