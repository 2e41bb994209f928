// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

/// One request in flight: the caller's preparation, the loop's state, and the continuation of the caller.
// Safety: handed over twice and never used by two threads simultaneously. The caller makes it and gives it to the loop
// under the mailbox's lock; the loop owns it until it resumes the continuation, and does not touch it afterwards; then
// the caller reads `outcome`. A cancellation only carries the reference to the loop.
final class Transfer: @unchecked Sendable {
    enum Place {
        /// In the mailbox, or not yet there.
        case waiting
        /// At this index of the loop's active transfers.
        case active(index: Int)
        case ended
    }

    let request: NetworkRequest
    /// The request's target, taken out of it once.
    let target: TargetURI
    let content: RequestContent
    /// The proxy of the request; `nil` for a direct connection.
    let proxy: TransportSettings.Proxy?
    let handedOver: Int64
    private(set) var fields: ccurl_fields
    /// The peer to connect to instead of the target, in libcurl's format.
    private(set) var route: UnsafeMutablePointer<curl_slist>?

    @exclusivity(unchecked) var place = Place.waiting
    @exclusivity(unchecked) var state: TransferState
    /// The content of the response that has arrived.
    @exclusivity(unchecked) var received = ContentBuffer()
    /// The number of bytes of streamed content that libcurl has read.
    var sentByteCount = 0
    /// Whether the next connection must be a new one.
    var requiresNewConnection: Bool
    /// Reports events to the request's handler; `nil` without a handler.
    @exclusivity(unchecked) var report: TransferReport?
    /// The TLS rules of the target's host; `nil` for a host without rules.
    let hostRules: HostRules?
    /// The server's certificates, if they were requested.
    var certificates: [ServerCertificate] = []
    /// The candidates for the socket of the request: several only if they cannot be told apart.
    @exclusivity(unchecked) var sockets: [SocketTable.Socket] = []
    /// The socket that the transfer uses exclusively.
    @exclusivity(unchecked) var occupiedSocket: SocketTable.Socket?
    /// The socket of the request, if it is known.
    var socket: SocketTable.Socket? { sockets.count == 1 ? sockets.first : nil }
    /// The number of bytes of the content that had been written when an idle timeout was last checked.
    var writtenByteCount: Int64 = 0
    @exclusivity(unchecked) var deadlines: TransferDeadlines

    private(set) var outcome: TransferOutcome?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Validates the request and takes what it needs of the environment.
    init(_ request: NetworkRequest, in environment: CurlEnvironment) throws(SwiftyError) {
        hostRules = try environment.hostRules(for: request.target)
        let connections = environment.settings.connections
        try RequestCheck.check(request, connections)
        proxy = try environment.proxyRoutes?.proxy(for: request)
        let expectsContinue = request.expectsContinue(connections)
        let userAgent = environment.userAgentField
        fields = try FieldList(request, userAgent: userAgent, expectsContinue: expectsContinue).list
        // For every host and port, since a transfer has only one target.
        route = request.connectsTo.flatMap { curl_slist_append(nil, "::\($0)") }
        self.request = request
        target = request.target
        requiresNewConnection = request.requiresNewConnection
        report = request.onEvent.map { TransferReport($0) }
        content = RequestContent(request)
        state = TransferState(
            request: request,
            rules: environment.settings.responses,
            expectsContinue: expectsContinue
        )
        handedOver = ccurl_now()
        deadlines = TransferDeadlines(request.timeouts, start: handedOver)
    }

    deinit {
        ccurl_free_fields(fields)
        curl_slist_free_all(route)
    }

    /// Whether the server's identity was verified; `nil` if nothing was sent over TLS.
    var isServerVerified: Bool? {
        target.scheme == .https && state.sent != .notSent ? hostRules?.isVerified ?? true : nil
    }

    /// Whether part of the content is still to be read.
    var isUploading: Bool {
        if case .streamed(let data) = content { sentByteCount < data.count } else { false }
    }

    /// Sets the continuation that is resumed at the end. Must be called before the transfer is handed to the loop.
    func setContinuation(_ continuation: UnsafeContinuation<Void, Never>) {
        self.continuation = continuation
    }

    /// Stores the outcome; ``resume()`` resumes the caller.
    func end(_ outcome: TransferOutcome) {
        place = .ended
        self.outcome = outcome
    }

    /// Removes the expectation that the server does not support (RFC 9110 §15.5.18).
    func dropExpectation(userAgent: HTTPField?) {
        guard let plain = try? FieldList(request, userAgent: userAgent).list else { return }
        ccurl_free_fields(fields)
        fields = plain
    }

    /// Resumes the caller. A second call has no effect. The transfer must not be touched afterwards.
    func resume() {
        let waiting = continuation
        continuation = nil
        ccurl_publish(Unmanaged.passUnretained(self).toOpaque())
        waiting?.resume()
    }
}

extension Transfer {
    /// Copies the next part of the content to libcurl's buffer; returns 0 at the end.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard case .streamed(let data) = content, sentByteCount < data.count else { return 0 }
        let count = min(buffer.count, data.count - sentByteCount)
        let start = data.startIndex + sentByteCount
        data.copyBytes(to: buffer, from: start..<(start + count))
        sentByteCount += count
        return count
    }

    /// Rewinds the content, because libcurl repeats the request.
    func rewindContent(to offset: Int64, origin: Int32) -> Bool {
        guard case .streamed(let data) = content, origin == SEEK_SET, let position = Int(exactly: offset),
            (0...data.count).contains(position)
        else { return false }
        sentByteCount = position
        return true
    }

    /// Takes a part of the response's content, as it is on the wire. Returns `false` if the transfer must be aborted.
    func receiveContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let action = state.receiveContent(bytes) { state, content in
            if received.append(content, expected: state.expectedBodyByteCount) { return .proceed }
            return state.end(
                .transportFailed,
                stage: .body,
                reason: "there is no memory for the response's content"
            )
        }
        return action == .proceed
    }

    /// Drops the content of an earlier attempt, because the request is sent again.
    func restart() {
        received.removeAll()
    }
}

/// The outcome of a transfer, left by the loop for the caller, who makes the response from it.
struct TransferOutcome {
    /// The failure; `nil` if the response is complete.
    var failure: TransferFailure?
    var measurements: TransferMeasurements?
}
