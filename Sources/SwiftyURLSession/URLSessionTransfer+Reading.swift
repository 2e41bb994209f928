// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

// What the caller of a transfer waits for: the head, and the content part by part.

extension URLSessionTransfer {
    /// What a caller gets next.
    private enum Step {
        case head(ResponseHead)
        case part(Data)
        case end
        case failure(SwiftyError)
    }

    /// Waits for the head.
    func head() async throws(SwiftyError) -> ResponseHead {
        while true {
            let step = state.withLock { state -> Step? in
                if let head = state.head { return .head(head) }
                if case .failed(let error) = state.ending { return .failure(error) }
                return nil
            }
            switch step {
            case .head(let head): return head
            case .failure(let error): throw complete(error)
            default: await waitForChange { $0.head == nil && $0.ending == nil }
            }
        }
    }

    /// Waits for the next bytes; `nil` at the end.
    func next() async throws(SwiftyError) -> Data? {
        let isBusy = state.withLock { state in
            defer { state.isRead = true }
            return state.isRead
        }
        if isBusy {
            throw SwiftyError(.transportFailed, stage: .body, reason: "another task is reading this content")
        }
        defer { state.withLock { $0.isRead = false } }
        while true {
            switch nextStep() {
            case .part(let data): return data
            case .end: return nil
            case .failure(let error): throw complete(error)
            default: await waitForChange { $0.parts.isEmpty && $0.ending == nil }
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if case .failed(let error) = state.ending, error.code != .connectionLost { return .failure(error) }
            if !state.parts.isEmpty { return .part(state.parts.removeFirst()) }
            switch state.ending {
            case .complete: return .end
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
            error.body = bytes + state.withLock { $0.parts.reduce(Data(), +) }
            throw error
        }
    }

    /// The error that the transfer has ended with.
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

    /// The few measurements that `URLSession` provides.
    var metrics: TransferMetrics {
        state.withLock { state in
            var metrics = TransferMetrics()
            metrics.total = state.duration ?? (.now - begin)
            metrics.requestBodyBytes = state.sent
            metrics.responseBodyBytes = state.received
            return metrics
        }
    }
}
