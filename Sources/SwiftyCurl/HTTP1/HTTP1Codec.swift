// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// HTTP/1.1 on one connection, which carries one exchange at a time (RFC 9112).
///
/// The connection is reused only if the exchange ended cleanly: the whole request was sent, the response is complete
/// and unambiguous, and no byte followed it.
final class HTTP1Codec: Codec {
    /// The number of bytes that are received in one call while each byte may have to be parsed.
    private static let smallPiece = 16 << 10
    /// The number of bytes that one connection may send or receive in a turn of the loop.
    private static let bytesPerTurn = 512 << 10
    /// The number of bytes of the line end that completes a head.
    private static let headEnd = 2
    /// The time that content waits for a 100 response, in nanoseconds.
    private static let continueTimeout: Int64 = 1_000_000_000

    private struct Exchange {
        /// The transfer that is under way.
        var transfer: Transfer?
        /// The number of bytes of the request's head that were sent.
        var headSent = 0
        /// Whether nothing of the request was sent: what arrives cannot be its response (RFC 9112 §9.2).
        var isUnsent: Bool { headSent == 0 }
        /// Whether the content waits for a 100 response.
        var holdsContent = false
        /// The chunks of the content; `nil` if it is sent as it is.
        var chunks: ChunkWriter?
        /// The reason why no more can be sent; the response may have arrived nevertheless.
        var sendError: ChannelFailure?
    }

    @exclusivity(unchecked) private var exchange = Exchange()
    /// Whether received bytes are being processed. Guards against re-entrancy.
    @exclusivity(unchecked) private var isReceiving = false
    private let parser: ResponseParser
    /// Received bytes that wait until the reader of the response has taken the bytes before them.
    private var held: [UInt8] = []

    init(rules: TransportSettings.Responses) {
        parser = ResponseParser(method: .get, rules: rules)
    }

    let isShared = false
    var isIdle: Bool { exchange.transfer == nil }
    var isDraining: Bool { false }
    var isHeldByServer: Bool { false }
    var room: Int { isIdle ? 1 : 0 }
    func assume(streamLimit: Int) {}
    func flush(on connection: Connection) {}
    func checkPeer(on connection: Connection) -> Int64 { .max }

    func begin(_ transfer: Transfer, on connection: Connection) {
        exchange = Exchange(
            transfer: transfer,
            holdsContent: transfer.expectsContinue,
            chunks: transfer.content.isChunked ? ChunkWriter() : nil
        )
        parser.restart(method: transfer.request.method)
        send(on: connection)
    }

    func stage(of transfer: Transfer) -> SwiftyError.Stage {
        parser.stage == .firstByte && !isWaiting(transfer) ? .send : parser.stage
    }

    func abandon(_ transfer: Transfer, isOverdue: Bool, on connection: Connection) {
        detach()
        connection.close()
    }

    /// Detaches the transfer, which keeps the arrived part of its response.
    private func detach() {
        guard let transfer = exchange.transfer else { return }
        transfer.detach(partialHead: parser.partialHead, headByteCount: parser.headByteCount)
        exchange.transfer = nil
    }
}

// MARK: Sending

extension HTTP1Codec {
    func send(on connection: Connection) {
        guard let transfer = exchange.transfer, exchange.sendError == nil else {
            return connection.setAwaitsRoom(false)
        }
        // There was no room while the socket still held the content of a request that was answered early. What has come
        // meanwhile is no response to this one.
        if exchange.isUnsent, connection.awaitsRoom, let failure = connection.failureBeforeRequest() {
            return lose(transfer, failure, on: connection)
        }
        switch sendParts(of: transfer, on: connection) {
        case .bytes:
            connection.setAwaitsRoom(hasUnsentPart(transfer))
            askForMore(of: transfer)
        case .wouldBlock: connection.setAwaitsRoom(true)
        case .end: break
        case .failed(let failure):
            exchange.sendError = failure
            connection.setAwaitsRoom(false)
            // The server may have responded before it closed the connection.
            if !isReceiving { receive(on: connection) }
        }
    }

    func resumeSending(_ transfer: Transfer, on connection: Connection) {
        guard transfer === exchange.transfer else { return }
        if hasUnsentPart(transfer) { send(on: connection) }
    }

    /// Has the source of the content produce its next part, once everything before is sent.
    private func askForMore(of transfer: Transfer) {
        if !hasUnsentPart(transfer), !exchange.holdsContent { transfer.askForContent() }
    }

    /// The number of bytes of the head that may be sent. The end of the head completes a request whose content is
    /// announced as empty, so it is sent only after the source has ended.
    private func sendableHeadCount(of transfer: Transfer) -> Int {
        let isOpen = transfer.content.isAnnouncedEmpty && !transfer.attempt.upload.isComplete
        return transfer.head.bytes.count - (isOpen ? Self.headEnd : 0)
    }

    /// Sends the rest of the head and of the content, as far as the connection accepts it and this turn allows.
    private func sendParts(of transfer: Transfer, on connection: Connection) -> ChannelResult {
        var sent = 0
        while true {
            let result = sendPart(of: transfer, on: connection)
            guard case .bytes(let count) = result else { return result }
            noteSent(count, of: transfer, connection.resources)
            sent += count
            // TLS writes one record at a time.
            guard connection.isSecure, hasUnsentPart(transfer), sent < Self.bytesPerTurn else { return result }
        }
    }

    /// Sends the rest of the head and of the content with one call.
    private func sendPart(of transfer: Transfer, on connection: Connection) -> ChannelResult {
        transfer.head.bytes.withUnsafeBytes { head in
            let head = UnsafeRawBufferPointer(rebasing: head[exchange.headSent..<sendableHeadCount(of: transfer)])
            if exchange.holdsContent { return connection.send(head, UnsafeRawBufferPointer(start: nil, count: 0)) }
            exchange.chunks?.fill(from: &transfer.attempt.upload)
            if let chunks = exchange.chunks {
                return chunks.withUnsafeBytes(limit: Self.bytesPerTurn) { connection.send(head, $0) }
            }
            return transfer.attempt.upload.withUnsafeBytes(limit: Self.bytesPerTurn) { connection.send(head, $0) }
        }
    }

    private func noteSent(_ count: Int, of transfer: Transfer, _ resources: LoopResources) {
        let ofHead = min(count, transfer.head.bytes.count - exchange.headSent)
        exchange.headSent += ofHead
        if count > ofHead { noteContentSent(count - ofHead, of: transfer) }
        transfer.noteSent(head: exchange.headSent, at: resources.now)
        if exchange.holdsContent, exchange.headSent == transfer.head.bytes.count {
            transfer.attempt.awaitContinue(until: resources.now &+ Self.continueTimeout)
            resources.watch(transfer.attempt.continueDeadline)
        }
    }

    private func noteContentSent(_ count: Int, of transfer: Transfer) {
        if let content = exchange.chunks?.noteSent(count) {
            transfer.attempt.upload.noteFramedSent(content)
        } else {
            transfer.attempt.upload.noteSent(count)
        }
    }

    /// Whether a part of the request is left that can be sent now.
    private func hasUnsentPart(_ transfer: Transfer) -> Bool {
        exchange.headSent < sendableHeadCount(of: transfer) || !exchange.holdsContent && hasUnsentContent(transfer)
    }

    private func hasUnsentContent(_ transfer: Transfer) -> Bool {
        exchange.chunks?.hasBytes(of: transfer.attempt.upload) ?? transfer.attempt.upload.hasBytes
    }

    /// Whether the transfer waits for the server.
    private func isWaiting(_ transfer: Transfer) -> Bool {
        isSent(transfer) || exchange.holdsContent && exchange.headSent == transfer.head.bytes.count
    }

    /// Whether the whole request was sent.
    private func isSent(_ transfer: Transfer) -> Bool {
        exchange.headSent == transfer.head.bytes.count && transfer.attempt.upload.isFinished
            && exchange.chunks?.isFinished ?? true
    }

    func stopWaitingForContinue(_ transfer: Transfer, on connection: Connection) {
        transfer.attempt.stopAwaitingContinue()
        guard exchange.holdsContent else { return }
        exchange.holdsContent = false
        send(on: connection)
    }
}

// MARK: Receiving

extension HTTP1Codec {
    func resumeReceiving(_ transfer: Transfer, on connection: Connection) {
        guard transfer === exchange.transfer else { return }
        connection.setPaused(false)
        let held = held
        self.held.removeAll()
        isReceiving = true
        held.withUnsafeBytes { take($0, on: connection) }
        isReceiving = false
        if connection.isOpen, !transfer.attempt.isPaused { receive(on: connection) }
    }

    func receive(on connection: Connection) {
        var received = 0
        isReceiving = true
        defer { isReceiving = false }
        while let transfer = exchange.transfer {
            if transfer.attempt.isPaused { return connection.setPaused(true) }
            let space = spaceForContent(of: transfer)
            let buffer = space ?? connection.resources.receiveBuffer(limit: pieceSize(of: transfer))
            switch connection.receive(into: buffer) {
            case .bytes(let count):
                if exchange.isUnsent { return lose(transfer, .unrequested, on: connection) }
                transfer.noteReceived(at: connection.resources.now)
                if space == nil {
                    take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), on: connection)
                } else {
                    takeContent(count, of: transfer, on: connection)
                }
                received += count
                // The loop reports the socket again if more has arrived there, but not what TLS holds.
                guard connection.isOpen,
                    connection.mayHoldMore(afterReceiving: count, of: buffer.count) || exchange.sendError != nil
                else { return }
                if received >= (parser.isInContent ? Self.bytesPerTurn : 4 * Self.smallPiece) {
                    return connection.receiveLater()
                }
            case .wouldBlock:
                if let sendError = exchange.sendError { lose(transfer, sendError, on: connection) }
                return
            case .end: return receiveEnd(of: transfer, on: connection)
            case .failed(let failure): return lose(transfer, failure, on: connection)
            }
        }
    }

    /// The number of bytes to receive in one call.
    private func pieceSize(of transfer: Transfer) -> Int {
        parser.isInContent ? transfer.room : Self.smallPiece
    }

    /// The reader's memory, for content of which much is still to come.
    private func spaceForContent(of transfer: Transfer) -> UnsafeMutableRawBufferPointer? {
        parser.plainByteCount > SegmentPool.blockSize ? transfer.spaceForContent() : nil
    }

    /// Processes content that was received into the reader's memory.
    private func takeContent(_ count: Int, of transfer: Transfer, on connection: Connection) {
        parser.noteContent(count)
        transfer.noteContentInSpace(count, at: connection.resources.now)
        connection.transfers.signalLater(transfer)
    }

    private func take(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        var rest = bytes
        do throws(TransferFailure) {
            while let transfer = exchange.transfer {
                if transfer.attempt.isPaused { return hold(rest, of: transfer, on: connection) }
                guard let event = try nextEvent(in: &rest) else { break }
                switch event {
                case .informational(let head):
                    transfer.receiveInformational(head)
                    if head.statusCode == 100 { stopWaitingForContinue(transfer, on: connection) }
                case .head(let head):
                    if try receive(head, of: transfer, on: connection) { return }
                case .content(let content): try transfer.receiveContent(content, at: connection.resources.now)
                case .end(let trailers):
                    transfer.receiveTrailers(trailers)
                    return complete(transfer, hasExcess: !rest.isEmpty, on: connection)
                }
            }
            if let transfer = exchange.transfer { connection.transfers.signalLater(transfer) }
        } catch {
            end(with: error, on: connection)
        }
    }

    /// Keeps received bytes until the reader of the response has taken the bytes before them.
    private func hold(_ bytes: UnsafeRawBufferPointer, of transfer: Transfer, on connection: Connection) {
        held += bytes
        connection.setPaused(true)
        connection.transfers.signalLater(transfer)
    }

    private func nextEvent(in bytes: inout UnsafeRawBufferPointer) throws(TransferFailure) -> ResponseParser.Event? {
        do throws(ResponseError) {
            return try parser.next(in: &bytes)
        } catch {
            throw TransferFailure(error, stage: parser.stage)
        }
    }

    /// Processes the final head. Returns whether it ends the transfer, which is then repeated without its expectation.
    private func receive(
        _ head: ResponseHead,
        of transfer: Transfer,
        on connection: Connection
    ) throws(TransferFailure) -> Bool {
        // A server that has asked for the content, or got it after a silence, means something else by a 417.
        if exchange.holdsContent, head.statusCode == 417 {
            detach()
            connection.close()
            let resources = connection.resources
            connection.transfers.repeatWithoutExpectation(transfer, resources.environment, at: resources.now)
            return true
        }
        transfer.attempt.stopAwaitingContinue()
        try transfer.receiveHead(head, contentLength: parser.contentLength, hasContent: parser.expectsContent)
        return false
    }

    private func complete(_ transfer: Transfer, hasExcess: Bool, on connection: Connection) {
        let isReusable =
            parser.allowsReuse && !transfer.head.closesConnection && !hasExcess && !exchange.holdsContent
            && isSent(transfer) && exchange.sendError == nil
            && !connection.hasUnexpectedBytes()
        if parser.isCompletenessProven || connection.isEndAuthenticated { transfer.attempt.proveCompleteness() }
        detach()
        connection.complete(transfer)
        if isReusable { connection.becomeIdle(parser.keepAlive) } else { connection.close() }
    }
}

// MARK: Failures

extension HTTP1Codec {
    /// Handles the end of the connection by the server, which completes some responses.
    private func receiveEnd(of transfer: Transfer, on connection: Connection) {
        if parser.receiveEndOfConnection() {
            guard isEndAcceptable(of: transfer, on: connection) else {
                let reason = "the connection ended, and nothing proves that the response's content is complete"
                return end(with: lost(transfer, reason), on: connection)
            }
            return complete(transfer, hasExcess: false, on: connection)
        }
        let reason =
            switch parser.stage {
            case .content: "the connection ended before all of the response's content had come"
            case .head: "the connection ended within the response's header fields"
            default: "the server closed the connection without a response"
            }
        lose(transfer, lost(transfer, reason), on: connection)
    }

    /// Whether the end of the connection may end the content: over TLS, only if the server has announced it.
    private func isEndAcceptable(of transfer: Transfer, on connection: Connection) -> Bool {
        !connection.isSecure || transfer.responseRules.strictness == .lenient || connection.isEndAuthenticated
    }

    private func lost(_ transfer: Transfer, _ reason: String) -> TransferFailure {
        TransferFailure(
            code: .connectionLost,
            stage: stage(of: transfer),
            sent: transfer.attempt.progress.sent,
            reason: reason
        )
    }

    func lose(_ failure: TransferFailure, on connection: Connection) {
        guard let transfer = exchange.transfer else { return connection.close() }
        var failure = failure
        (failure.stage, failure.sent) = (stage(of: transfer), transfer.attempt.progress.sent)
        lose(transfer, failure, on: connection)
    }

    private func lose(_ transfer: Transfer, _ failure: ChannelFailure, on connection: Connection) {
        let failure = TransferFailure(failure, stage: stage(of: transfer), sent: transfer.attempt.progress.sent)
        lose(transfer, failure, on: connection)
    }

    /// Ends a transfer whose connection is lost, or repeats it if that is safe.
    private func lose(_ transfer: Transfer, _ failure: TransferFailure, on connection: Connection) {
        let hasResponse = parser.hasBegun
        detach()
        connection.close()
        let now = connection.resources.now
        if !hasResponse, connection.transfers.repeatOnNewConnection(transfer, at: now) { return }
        connection.fail(transfer, failure)
    }

    private func end(with failure: TransferFailure, on connection: Connection) {
        guard let transfer = exchange.transfer else { return }
        detach()
        connection.close()
        connection.fail(transfer, failure)
    }
}
