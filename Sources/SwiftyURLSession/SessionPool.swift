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
        var common: TransferSession?
        var own: [ObjectIdentifier: TransferSession] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Starts a transfer.
    ///
    /// - Throws: `shutdown` after the end of the pool.
    func start(_ transfer: URLSessionTransfer, _ request: URLRequest, isAlone: Bool) throws(SwiftyError) {
        let session = state.withLock { state -> TransferSession? in
            if state.isShutDown { return nil }
            if isAlone {
                let session = TransferSession()
                state.own[ObjectIdentifier(transfer)] = session
                return session
            }
            if state.common == nil { state.common = TransferSession() }
            return state.common
        }
        guard let session else {
            throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down")
        }
        let key = ObjectIdentifier(transfer)
        if isAlone { transfer.onEnd { [weak self] in self?.release(key) } }
        session.start(transfer, request)
    }

    private func release(_ key: ObjectIdentifier) {
        state.withLock { $0.own.removeValue(forKey: key) }?.finish()
    }

    /// Ends all transfers and sessions.
    func shutdown() {
        let sessions = state.withLock { state in
            defer { (state.common, state.own, state.isShutDown) = (nil, [:], true) }
            return Array(state.own.values) + (state.common.map { [$0] } ?? [])
        }
        for session in sessions { session.end() }
    }
}

/// A session without cookies, cache and credentials, and its transfers.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // The limits of time are the transfer's.
        configuration.timeoutIntervalForRequest = 7 * 86_400
        configuration.timeoutIntervalForResource = 7 * 86_400
        configuration.httpMaximumConnectionsPerHost = 256
        #if !canImport(FoundationNetworking)
        configuration.connectionProxyDictionary = [:]
        #endif
        delegate = TransferDelegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    func start(_ transfer: URLSessionTransfer, _ request: URLRequest) {
        let task = session.dataTask(with: request)
        delegate.add(transfer, for: task)
        transfer.start(task)
    }

    /// Ends the session once its transfer has ended.
    func finish() {
        session.finishTasksAndInvalidate()
    }

    /// Ends the session and its transfers.
    func end() {
        for transfer in delegate.transfers { transfer.cancel(with: .shutdown) }
        session.invalidateAndCancel()
    }
}
