// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport: a common one, and one for each request that must not share connections.
final class SessionPool: Sendable {
    private struct State {
        /// The transfers that have not ended.
        var transfers: [ObjectIdentifier: URLSessionTransfer] = [:]
        var common: TransferSession?
        var own: [ObjectIdentifier: TransferSession] = [:]
        var isShutDown = false

        /// The common session, or a new one for one transfer alone.
        mutating func session(
            for key: ObjectIdentifier,
            isAlone: Bool,
            _ configuration: URLSessionConfiguration
        ) -> TransferSession {
            if !isAlone, let common { return common }
            let session = TransferSession(configuration)
            if isAlone { own[key] = session } else { common = session }
            return session
        }
    }

    private let configuration: URLSessionConfiguration
    private let state = Mutex(State())

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// Adds a transfer, which is started later, and ends with the pool at the latest.
    ///
    /// - Throws: `shutdown` after the end of the pool.
    func add(_ transfer: URLSessionTransfer) throws(SwiftyError) {
        let key = ObjectIdentifier(transfer)
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.transfers[key] = transfer }
            return state.isShutDown
        }
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down") }
        transfer.onEnd { [weak self] in self?.release(key) }
    }

    /// Starts a transfer, unless it has ended.
    func start(_ transfer: URLSessionTransfer, _ request: URLRequest, isAlone: Bool) {
        let key = ObjectIdentifier(transfer)
        // FoundationNetworking traps if an invalidated session makes a task. A session is invalidated only once it is
        // out of the state, so the task is made under its lock.
        let task = state.withLock { state -> URLSessionTask? in
            guard state.transfers[key] != nil else { return nil }
            return state.session(for: key, isAlone: isAlone, configuration).makeTask(for: transfer, request)
        }
        if let task { transfer.start(task) }
    }

    private func release(_ key: ObjectIdentifier) {
        let session = state.withLock { state in
            state.transfers[key] = nil
            return state.own.removeValue(forKey: key)
        }
        session?.finish()
    }

    /// Ends all transfers and sessions.
    func shutdown() {
        let (transfers, sessions) = state.withLock { state in
            defer { (state.transfers, state.common, state.own, state.isShutDown) = ([:], nil, [:], true) }
            return (Array(state.transfers.values), Array(state.own.values) + (state.common.map { [$0] } ?? []))
        }
        for transfer in transfers { transfer.cancel(with: .shutdown) }
        for session in sessions { session.end() }
    }
}

/// A session of the template's configuration, and its transfers.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate

    init(_ configuration: URLSessionConfiguration) {
        delegate = TransferDelegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    func makeTask(for transfer: URLSessionTransfer, _ request: URLRequest) -> URLSessionTask {
        let task = session.dataTask(with: request)
        delegate.add(transfer, for: task)
        return task
    }

    /// Ends the session once its transfer has ended.
    func finish() {
        session.finishTasksAndInvalidate()
    }

    /// Ends the session and its tasks.
    func end() {
        session.invalidateAndCancel()
    }
}
