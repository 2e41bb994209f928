// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The state of one transfer, and the action that follows each event.
///
/// An event goes in, an action comes out; nothing here touches libcurl or the network.
struct TransferState {
    /// The action after an event.
    enum Action: Equatable {
        case proceed
        /// Abort the transfer, because of ``TransferState/failure`` or an ending that
        /// ``finish(_:requiresRetry:text:phase:)`` returns.
        case abort
    }

    /// The end of a transfer.
    enum Ending: Equatable {
        case response
        case failure(TransferFailure)
        /// Nothing was sent, because the connection was stale, or the server did not process the request: retry on a
        /// new connection.
        case retryOnNewConnection
        /// The server rejected the expectation of a 100 response: retry without it.
        case retryWithoutExpect
    }

    /// The maximum number of repetitions of a request that the server does not process: the same as libcurl's.
    private static let repetitionLimit = 5

    private let isIdempotent: Bool
    private let expectsContent: Bool
    let isSecure: Bool
    private let rules: TransportSettings.Responses
    /// Whether the content waits for a 100 response.
    private(set) var expectsContinue: Bool
    private var isExpectationRefused = false
    /// Whether part of the content has been sent.
    private var hasContentBegun = false
    private var requestCount = 0
    private var isConnectionStale = false
    /// The number of attempts that the server did not process.
    private var notProcessedCount = 0

    private(set) var head: HeadCollector
    private(set) var sent = SwiftyError.SentState.notSent
    private(set) var bodyByteCount = 0
    /// Whether the server has announced the end of its TLS connection.
    private(set) var isEndAuthenticated = false
    private var chunks: ChunkedDecoder
    /// Whether bytes followed the end of the response.
    private var hasExcess = false
    /// The reason why the transfer was ended by us.
    private(set) var failure: TransferFailure?

    init(request: NetworkRequest, rules: TransportSettings.Responses, expectsContinue: Bool = false) {
        isIdempotent = request.isIdempotent
        expectsContent = request.method != .head
        isSecure = request.target.scheme == .https
        self.rules = rules
        self.expectsContinue = expectsContinue
        head = HeadCollector(rules: rules)
        chunks = ChunkedDecoder(rules: rules)
    }

    /// The number of bytes to reserve for the content: the announced length within limits, and more once some content
    /// has come.
    ///
    /// Growing step by step would copy the content repeatedly; reserving all of it immediately would let a server claim
    /// memory for nothing.
    var expectedBodyByteCount: Int {
        let reason = bodyByteCount > 1 << 20 ? 64 << 20 : 1 << 20
        return max(0, min(head.contentLength ?? 0, rules.bodyLimit, reason))
    }

    /// Whether the method and the status allow content.
    var hasContent: Bool { expectsContent && head.statusCode != 204 && head.statusCode != 304 }

    /// Whether the response is known to be complete.
    var isResponseComplete: Bool {
        guard head.isComplete else { return false }
        return !hasContent || (head.isChunked ? chunks.isComplete : head.contentLength == bodyByteCount)
    }

    /// Whether the response is the last one on its connection, because another reader may see its end elsewhere.
    var forbidsReuse: Bool { head.isAmbiguous || chunks.isAmbiguous || hasExcess }
    /// Whether the response is chunked and its last chunk, or what follows it, is missing.
    var lacksChunks: Bool { hasContent && head.isChunked && !chunks.isComplete }

    /// The connection is ready and the request is about to be written.
    ///
    /// libcurl calls this again when it repeats the request after the connection failed.
    ///
    /// - Parameters:
    ///   - isStale: Whether a kept-alive connection has ended or received unrequested bytes, which would be taken for
    ///     the response to this request.
    ///   - wasNotProcessed: Whether the server did not process the request's last attempt.
    ///   - version: The HTTP version of the connection; `nil` if unknown.
    mutating func willSendRequest(
        isStale: Bool,
        wasNotProcessed: Bool = false,
        version: ResponseHead.HTTPVersion? = nil
    ) -> Action {
        if failure != nil { return .abort }
        if wasNotProcessed { forgetRequest() }
        if requestCount > 0, !isIdempotent {
            let reason = "the connection was lost after the request was sent, and it is not safe to send it twice"
            return end(.connectionLost, stage: .firstByte, reason: reason)
        }
        if isStale {
            isConnectionStale = true
            return .abort
        }
        requestCount &+= 1
        head.restart(connectionVersion: version)
        bodyByteCount = 0
        chunks = ChunkedDecoder(rules: rules)
        hasExcess = false
        sent = .maybeSent
        return .proceed
    }

    /// Part of the content was written.
    mutating func beginContent() {
        hasContentBegun = true
    }

    /// A line of the head or of the trailers arrived.
    mutating func receiveHeadLine(_ line: UnsafeBufferPointer<UInt8>) -> Action {
        if failure != nil { return .abort }
        let stage = head.stage
        if let error = head.append(line) { return end(error, stage: stage) }
        return head.isComplete && stage != .body ? completeHead() : .proceed
    }

    private mutating func completeHead() -> Action {
        // A server that has asked for the content, or got it after a silence, means something else by a 417.
        if expectsContinue, !hasContentBegun, head.statusCode == 417 {
            isExpectationRefused = true
            return .abort
        }
        sent = .responded
        guard hasContent, let length = head.contentLength, length > rules.bodyLimit else {
            return .proceed
        }
        return endTooLarge()
    }

    /// Part of the content arrived, as it is on the wire.
    ///
    /// - Parameter keep: Takes the decoded content, in one or several calls. It may end the transfer.
    mutating func receiveContent(
        _ bytes: UnsafeRawBufferPointer,
        keep: (inout TransferState, UnsafeRawBufferPointer) -> Action
    ) -> Action {
        if failure != nil { return .abort }
        guard head.isComplete else {
            return end(.malformedResponse, stage: head.stage, reason: "content arrived before the end of the head")
        }
        return head.isChunked ? receiveChunks(bytes, keep: keep) : receive(bytes, keep: keep)
    }

    private mutating func receiveChunks(
        _ bytes: UnsafeRawBufferPointer,
        keep: (inout TransferState, UnsafeRawBufferPointer) -> Action
    ) -> Action {
        var rest = bytes
        do throws(ResponseError) {
            while let event = try chunks.next(in: &rest) {
                switch event {
                case .content(let content):
                    guard receive(content, keep: keep) == .proceed else { return .abort }
                case .trailer(let line):
                    if let error = line.withUnsafeBufferPointer({ head.append($0) }) { throw error }
                case .end: break
                }
            }
        } catch {
            return end(error, stage: .body)
        }
        if !rest.isEmpty { hasExcess = true }
        return .proceed
    }

    private mutating func receive(
        _ content: UnsafeRawBufferPointer,
        keep: (inout TransferState, UnsafeRawBufferPointer) -> Action
    ) -> Action {
        bodyByteCount &+= content.count
        return bodyByteCount > rules.bodyLimit ? endTooLarge() : keep(&self, content)
    }

    /// libcurl found bytes behind the end of the response.
    mutating func receiveExcess() {
        hasExcess = true
    }

    /// The server has announced the end of the TLS connection: the content is complete.
    mutating func receiveCloseNotify() {
        isEndAuthenticated = true
    }

    private mutating func endTooLarge() -> Action {
        let announced = head.contentLength.map { ": it announces \($0)" } ?? ""
        let reason = "the response's content exceeds \(rules.bodyLimit) bytes, \(Setting.bodyLimit.limit)\(announced)"
        return end(.responseTooLarge, stage: .body, reason: reason)
    }

    private mutating func end(_ error: ResponseError, stage: SwiftyError.Stage) -> Action {
        switch error {
        case .malformed(let reason): end(.malformedResponse, stage: stage, reason: reason)
        case .tooLarge(let reason): end(.responseTooLarge, stage: stage, reason: reason)
        }
    }

    /// Ends the transfer. The first failure counts.
    @discardableResult
    mutating func end(_ code: SwiftyError.Code, stage: SwiftyError.Stage, reason: String) -> Action {
        if failure == nil {
            failure = TransferFailure(code: code, stage: stage, sent: sent, reason: reason)
        }
        return .abort
    }

    /// Content that ends with its connection may have been truncated; TLS can prove that it was not.
    private var endOfResponse: Ending {
        if isShort { return .failure(lost("the connection ended before all of the response's content had come")) }
        guard isSecure, head.isDelimitedByClose, !isCompletenessProven, rules.strictness == .strict else {
            return .response
        }
        return .failure(lost("the connection ended, and nothing proves that the response's content is complete"))
    }

    /// Whether content is missing. libcurl does not always detect it: it takes the end of the connection for the final
    /// line feed of a chunked response.
    private var isShort: Bool { lacksChunks || hasContent && bodyByteCount < head.contentLength ?? 0 }

    private func lost(_ reason: String) -> TransferFailure {
        TransferFailure(code: .connectionLost, stage: head.stage, sent: sent, reason: reason)
    }

    /// The content was never sent: the request is repeated without the expectation.
    private mutating func forgetExpectation() -> Ending {
        isExpectationRefused = false
        expectsContinue = false
        forgetRequest()
        return .retryWithoutExpect
    }

    /// Resets the request to unsent.
    private mutating func forgetRequest() {
        requestCount = 0
        sent = .notSent
        head.restart()
    }

    /// libcurl has ended the transfer. Its text and the phase are evaluated only after a failure.
    ///
    /// - Parameter requiresRetry: Whether the server did not process the request, and libcurl did not repeat it.
    mutating func finish(
        _ code: CURLcode,
        requiresRetry: Bool = false,
        text: @autoclosure () -> String,
        phase: @autoclosure () -> TransferPhase
    ) -> Ending {
        if let failure { return .failure(failure) }
        if isConnectionStale {
            isConnectionStale = false
            return .retryOnNewConnection
        }
        if isExpectationRefused { return forgetExpectation() }
        if requiresRetry, code != CURLE_OPERATION_TIMEDOUT, notProcessedCount < Self.repetitionLimit {
            notProcessedCount += 1
            forgetRequest()
            return .retryOnNewConnection
        }
        guard code == CURLE_OK else {
            return .failure(TransferFailure(curlCode: code, text: text(), phase: phase()))
        }
        if head.isComplete { return endOfResponse }
        return .failure(lost("the connection ended within the response's header fields"))
    }
}
