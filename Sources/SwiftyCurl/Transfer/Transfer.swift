// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

/// One request on its way: what the caller prepared, what the loop learns, and who waits for it.
///
/// Safety: `@unchecked Sendable`, because it is handed over twice and never used by two threads at once. The caller makes
/// it and gives it to the loop under the mailbox's lock; the loop owns it until it resumes the continuation,
/// and touches it no more; then the caller reads `outcome`. A cancellation only carries the reference to the loop.
final class Transfer: @unchecked Sendable {
    enum Place {
        /// In the mailbox, or not yet there.
        case waiting
        /// With an easy handle, at this position among the loop's active transfers.
        case active(EasyHandle, index: Int)
        case ended
    }

    let request: NetworkRequest
    /// Where the request goes, taken out of it once.
    let target: TargetURI
    let content: RequestContent
    /// The proxy that the request goes through; nil if there is none.
    let proxy: TransportSettings.Proxy?
    let handedOver: Int64
    private(set) var fields: ccurl_fields
    /// Where to connect instead of the target, as libcurl wants it.
    private(set) var route: UnsafeMutablePointer<curl_slist>?

    @exclusivity(unchecked) var place = Place.waiting
    @exclusivity(unchecked) var state: TransferState
    /// The content of the response, as far as it has arrived.
    @exclusivity(unchecked) var received = ContentBuffer()
    /// How much of a streamed content libcurl has read.
    var sentByteCount = 0
    /// Whether the next connection must be a new one.
    var needsFreshConnection: Bool
    /// Tells the request's handler what happens; nil if there is none.
    @exclusivity(unchecked) var report: TransferReport?
    /// What the TLS settings say about the target's host; nil if nothing.
    let hostRules: HostRules?
    /// What the server showed, if somebody wants to know.
    var certificates: [ServerCertificate] = []
    /// The sockets of which the request went out on one: several only if they cannot be told apart.
    @exclusivity(unchecked) var sockets: [SocketTable.Socket] = []
    /// The socket of which the transfer has the sole use.
    @exclusivity(unchecked) var occupiedSocket: SocketTable.Socket?
    /// The socket that the request went out on, if it is known.
    var socket: SocketTable.Socket? { sockets.count == 1 ? sockets.first : nil }
    /// How much of the content had been written when silence was last suspected.
    var writtenByteCount: Int64 = 0
    @exclusivity(unchecked) var deadlines: TransferDeadlines

    private(set) var outcome: TransferOutcome?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Takes what it needs of the transport's configuration, which is too large to be copied for each.
    init(_ request: NetworkRequest, of transport: CurlTransport, hostRules: HostRules?) throws(SwiftyError) {
        let connections = transport.configuration.settings.connections
        try RequestCheck.check(request, connections)
        proxy = try transport.configuration.proxyRoutes?.proxy(for: request)
        let expectsContinue = request.expectsContinue(connections)
        let userAgent = transport.configuration.userAgentField
        fields = try FieldList(request, userAgent: userAgent, expectsContinue: expectsContinue).list
        // For every host and port: a transfer has one target only.
        route = request.connectsTo.flatMap { curl_slist_append(nil, "::\($0)") }
        self.request = request
        target = request.target
        self.hostRules = hostRules
        needsFreshConnection = request.requiresNewConnection
        report = request.onEvent.map { TransferReport($0) }
        content = RequestContent(request)
        state = TransferState(
            request: request,
            rules: transport.configuration.settings.responses,
            expectsContinue: expectsContinue
        )
        handedOver = ccurl_now()
        deadlines = TransferDeadlines(request.timeouts, start: handedOver)
    }

    deinit {
        ccurl_free_fields(fields)
        curl_slist_free_all(route)
    }

    /// Whether the server had to prove who it is; nil if nothing was sent over TLS.
    var isServerVerified: Bool? {
        target.scheme == .https && state.sent != .notSent ? hostRules?.isVerified ?? true : nil
    }

    /// Whether part of the content is still to be read.
    var isUploading: Bool {
        if case .streamed(let data) = content { sentByteCount < data.count } else { false }
    }

    /// Says who is to be woken at the end. Before the transfer is handed to the loop.
    func setContinuation(_ continuation: UnsafeContinuation<Void, Never>) {
        self.continuation = continuation
    }

    /// Notes how the transfer ended; the waiting caller is woken by ``resume()``.
    func end(_ outcome: TransferOutcome) {
        place = .ended
        self.outcome = outcome
    }

    /// The server does not know what to do with an expectation (RFC 9110 §15.5.18): the request is sent without.
    func dropExpectation(userAgent: HTTPField?) {
        guard let plain = try? FieldList(request, userAgent: userAgent).list else { return }
        ccurl_free_fields(fields)
        fields = plain
    }

    /// Wakes the caller. A second call does nothing. The transfer must not be touched afterwards.
    func resume() {
        let waiting = continuation
        continuation = nil
        ccurl_publish(Unmanaged.passUnretained(self).toOpaque())
        waiting?.resume()
    }
}

extension Transfer {
    /// Copies the next part of the content to where libcurl wants it; 0 at the end.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard case .streamed(let data) = content, sentByteCount < data.count else { return 0 }
        let count = min(buffer.count, data.count - sentByteCount)
        let start = data.startIndex + sentByteCount
        data.copyBytes(to: buffer, from: start..<(start + count))
        sentByteCount += count
        return count
    }

    /// Goes back to an earlier part of the content, because libcurl sends the request again.
    func rewindContent(to offset: Int64, origin: Int32) -> Bool {
        guard case .streamed(let data) = content, origin == SEEK_SET, let position = Int(exactly: offset),
            (0...data.count).contains(position)
        else { return false }
        sentByteCount = position
        return true
    }

    /// Takes a part of the response's content, as it is on the wire. Returns false if the transfer is to be ended.
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

    /// The request goes out, perhaps again: what an earlier try left is not part of this one.
    func restart() {
        received.removeAll()
    }
}
