// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

// What the caller of a transfer waits for: the head, and the content part by part.

extension ClientTransfer {
    /// Waits for the head.
    func head() async throws(SwiftyError) -> ResponseHead {
        while true {
            let (head, error) = state.withLock { state -> (ResponseHead?, SwiftyError?) in
                if case .failed(let error) = state.ending { return (nil, error) }
                return (state.head, nil)
            }
            if let error { throw complete(error) }
            if let head { return head }
            await wait { $0.head == nil && $0.ending == nil }
        }
    }

    /// What a reader gets next.
    private enum Step {
        case part(Data, CheckedContinuation<Void, Never>?)
        case end
        case failure(SwiftyError)
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
            switch nextStep() {
            case .part(let part, let writer):
                writer?.resume()
                return part
            case .end: return nil
            case .failure(let error): throw complete(error)
            case nil: await wait { $0.part == nil && $0.ending == nil }
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if case .failed(let error) = state.ending, error.code != .connectionLost { return .failure(error) }
            if let part = state.part {
                defer { (state.part, state.writer, state.lastTraffic) = (nil, nil, .now) }
                return .part(part, state.writer)
            }
            switch state.ending {
            case .complete: return .end
            case .failed(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    private func wait(while isWaiting: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard isWaiting(state) else { return false }
                    state.reader = continuation
                    return true
                }
                if !isNeeded { continuation.resume() }
            }
        } onCancel: {
            cancel(with: .cancelled)
        }
    }

    /// Reads to the end. An error has what arrived.
    func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        do throws(SwiftyError) {
            while let part = try await next() { bytes += part }
            return bytes
        } catch {
            var error = error
            error.content = bytes + state.withLock { $0.part ?? Data() }
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

    /// The little that the client tells.
    var metrics: TransferMetrics {
        state.withLock { state in
            var metrics = TransferMetrics()
            metrics.total = state.duration ?? (.now - begin)
            metrics.responseContentBytes = state.received
            metrics.httpVersion = state.head?.httpVersion
            return metrics
        }
    }
}
