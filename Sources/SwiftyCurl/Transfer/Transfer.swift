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
        /// At this index of the loop's exchanges.
        case onWire(index: Int)
        case ended
    }

    let request: NetworkRequest
    /// The request's target, taken out of it once.
    let target: TargetURI
    let content: RequestContent
    /// The proxy of the request; `nil` if there is none.
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
    /// Reports events to the request's handler; `nil` if there is none.
    @exclusivity(unchecked) var report: TransferReport?
    /// The TLS rules of the target's host; `nil` if there are none.
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

    // MARK: On connections of the pool

    /// Whether the transfer uses a connection of the pool.
    let usesPool: Bool
    let key: ConnectionKey
    let responseRules: TransportSettings.Responses
    /// The head of the request.
    @exclusivity(unchecked) private(set) var head: RequestHead
    /// Whether the content waits for a 100 response.
    @exclusivity(unchecked) private(set) var expectsContinue: Bool
    /// The end of that wait, in monotonic nanoseconds.
    @exclusivity(unchecked) var continueDeadline = Int64.max
    /// The connection that carries the transfer.
    @exclusivity(unchecked) var connection: Connection?
    /// The connection that is made for the transfer, while it waits.
    @exclusivity(unchecked) var connector: Connector?
    /// The position in the queue of transfers that wait.
    @exclusivity(unchecked) var queuePosition = 0
    @exclusivity(unchecked) var isConnectionReused = false
    /// The stream of HTTP/2; zero without one.
    @exclusivity(unchecked) var stream: Int32 = 0
    /// The number of times that the server did not process the request.
    @exclusivity(unchecked) var unprocessedCount = 0
    /// Whether the request was repeated because its connection had ended.
    @exclusivity(unchecked) var isRepeated = false
    /// Whether the attempt before may have reached the server.
    @exclusivity(unchecked) var mayHaveBeenSent = false
    @exclusivity(unchecked) var progress = ResponseProgress()
    /// The times at which the loop took the transfer, at which its connection was ready, and of its first byte; zero
    /// until then.
    @exclusivity(unchecked) var started: Int64 = 0
    @exclusivity(unchecked) var ready: Int64 = 0
    @exclusivity(unchecked) var firstByte: Int64 = 0

    private(set) var outcome: TransferOutcome?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Validates the request and takes what it needs of the environment.
    init(_ request: NetworkRequest, in environment: CurlEnvironment) throws(SwiftyError) {
        hostRules = try environment.hostRules(for: request.target)
        let connections = environment.settings.connections
        try RequestCheck.check(request, connections)
        proxy = try environment.proxyRoutes?.proxy(for: request)
        usesPool = true
        let content = RequestContent(request)
        let expectsContinue = request.expectsContinue(connections)
        let userAgent = environment.userAgentField
        head = try RequestHead(request, content, proxy, userAgent: userAgent, expectsContinue: expectsContinue)
        self.expectsContinue = expectsContinue
        key = ConnectionKey(request, proxy: proxy)
        responseRules = environment.settings.responses
        fields =
            usesPool
            ? ccurl_fields()
            : try FieldList(request, userAgent: userAgent, expectsContinue: expectsContinue).list
        // For every host and port, since a transfer has only one target.
        route = usesPool ? nil : request.connectsTo.flatMap { curl_slist_append(nil, "::\($0)") }
        self.request = request
        target = request.target
        requiresNewConnection = request.requiresNewConnection
        report = request.onEvent.map { TransferReport($0) }
        self.content = content
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
        target.scheme == .https && (usesPool ? progress.sent : state.sent) != .notSent ? hostRules?.isVerified ?? true : nil
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

    /// Removes the expectation that the server does not support, from a request of the pool.
    func removeExpectation(_ environment: CurlEnvironment) {
        let userAgent = environment.userAgentField
        guard let plain = try? RequestHead(request, content, proxy, userAgent: userAgent, expectsContinue: false) else {
            return
        }
        head = plain
        expectsContinue = false
    }

    /// Forgets the attempt that has failed. The next one is on a new connection.
    func restartOnWire(at now: Int64) {
        received.removeAll()
        progress.restart()
        requiresNewConnection = true
        isConnectionReused = false
        (ready, firstByte, continueDeadline) = (0, 0, .max)
        deadlines.restart(at: now)
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
