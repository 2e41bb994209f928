// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

// Failures of connections and streams, and the repetition of their requests.

extension HTTP2Codec {
    static let closed = lost("the server closed the connection without a complete response")
    static let flooded = malformed("the server sent too many frames without content (ENHANCE_YOUR_CALM)")

    static let outsideWindow = malformed("the server does not keep to the windows of HTTP/2 (FLOW_CONTROL_ERROR)")

    static func lost(_ reason: String) -> TransferFailure {
        TransferFailure(code: .connectionLost, stage: .firstByte, sent: .maybeSent, reason: reason)
    }

    static func malformed(_ reason: String) -> TransferFailure {
        TransferFailure(code: .malformedResponse, stage: .firstByte, sent: .maybeSent, reason: reason)
    }

    func lose(_ failure: ChannelFailure, on connection: Connection) {
        lose(ending.failure ?? TransferFailure(failure, stage: .firstByte, sent: .maybeSent), on: connection)
    }

    func lose(_ failure: TransferFailure, on connection: Connection) {
        connection.close()
        failStreams(failure, on: connection)
    }

    func failStreams(_ failure: TransferFailure, on connection: Connection) {
        for stream in streams.removeAll() { end(stream, with: failure, on: connection) }
    }

    /// Ends a stream whose connection is lost, or repeats its request if that is safe.
    private func end(_ stream: HTTP2Stream, with failure: TransferFailure, on connection: Connection) {
        let now = connection.resources.now
        let transfer = stream.transfer
        stream.detach()
        if !stream.hasResponded {
            let isUnprocessed = !stream.isSent || ending.excludes(stream)
            if isUnprocessed {
                if ending.requiresHTTP1 { _ = transfer.requireHTTP1() }
                return connection.transfers.repeatUnprocessed(transfer, at: now)
            }
            if failure.code == .connectionLost, connection.transfers.repeatOnNewConnection(transfer, at: now) { return }
        }
        var failure = stream.failure ?? failure
        failure.stage = stream.stage
        failure.sent = transfer.attempt.progress.sent
        connection.fail(transfer, failure)
    }
}

extension TransferFailure {
    static let heldByServer = TransferFailure(
        code: .connectionLost,
        stage: .queue,
        sent: .notSent,
        reason: "the server has allowed no request on any of its connections (SETTINGS_MAX_CONCURRENT_STREAMS is 0)"
    )
}
