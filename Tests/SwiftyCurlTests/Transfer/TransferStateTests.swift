// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The state of a transfer")
struct TransferStateTests {
    private let idle = TransferPhase(stage: .connect, sent: .notSent)

    private func state(_ method: HTTPRequest.Method = .get, limit: Int = 100) throws -> TransferState {
        TransferState(
            request: NetworkRequest(method: method, target: try TargetURI("http://a.test")),
            rules: .with {
                $0.headLimit = 1000
                $0.bodyLimit = limit
            }
        )
    }

    private func receive(_ lines: String..., by state: inout TransferState) -> [TransferState.Action] {
        lines.map { line in
            Array((line + "\r\n").utf8).withUnsafeBufferPointer { state.receiveHeadLine($0) }
        }
    }

    @Test("a response goes from not sent over maybe sent to responded")
    func success() throws {
        var state = try state()
        #expect(state.sent == .notSent)
        #expect(state.willSendRequest(isStale: false) == .proceed)
        #expect(state.sent == .maybeSent)
        #expect(receive("HTTP/1.1 200 OK", "Content-Length: 2", "", by: &state).allSatisfy { $0 == .proceed })
        #expect(state.sent == .responded)
        #expect(state.receiveBody(count: 2) == .proceed)
        #expect(state.finish(CURLE_OK, text: "", phase: idle) == .response)
    }

    @Test("only an idempotent request is sent twice")
    func replay() throws {
        var get = try state()
        _ = get.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", by: &get)
        #expect(get.willSendRequest(isStale: false) == .proceed)
        #expect(!get.head.hasBegun)
        var post = try state(.post)
        #expect(post.willSendRequest(isStale: false) == .proceed)
        #expect(post.willSendRequest(isStale: false) == .abort)
        guard case .failure(let failure) = post.finish(CURLE_ABORTED_BY_CALLBACK, text: "", phase: idle) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .connectionLost)
        #expect(failure.sent == .maybeSent)
    }

    @Test("a stale connection starts the transfer again, once for each")
    func stale() throws {
        var state = try state(.post)
        #expect(state.willSendRequest(isStale: true) == .abort)
        #expect(state.sent == .notSent)
        #expect(state.finish(CURLE_ABORTED_BY_CALLBACK, text: "", phase: idle) == .startAgain)
        #expect(state.willSendRequest(isStale: false) == .proceed)
    }

    @Test("an end that was decided here outlives what libcurl says of it")
    func ownFailure() throws {
        var state = try state(limit: 1)
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "", by: &state)
        #expect(state.receiveBody(count: 2) == .abort)
        #expect(state.receiveBody(count: 2) == .abort)
        state.end(.cancelled, stage: .body, reason: "")
        guard case .failure(let failure) = state.finish(CURLE_WRITE_ERROR, text: "", phase: idle) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .responseTooLarge)
        #expect(failure.sent == .responded)
    }

    @Test("success without a complete head is a lost connection")
    func truncated() throws {
        var state = try state()
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "A: b", by: &state)
        guard case .failure(let failure) = state.finish(CURLE_OK, text: "", phase: idle) else {
            Issue.record("a truncated head was accepted")
            return
        }
        #expect(failure.code == .connectionLost)
        #expect(failure.sent == .maybeSent)
    }

    @Test(
        "success of a chunked response lacks its last line feed only if more follows",
        arguments: ["\r", "\r\n", "\rE"]
    )
    func lastLineFeed(_ end: String) throws {
        var state = try state()
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", by: &state)
        for part in ["1\r\na", "\r\n0\r\n" + end] {
            let action = Array(part.utf8).withUnsafeBytes { state.receiveFramed($0) }
            #expect(action == .proceed)
        }
        _ = state.receiveBody(count: 1)
        if end.hasSuffix("E") { state.receiveExcess() }
        let isCut = end == "\r"
        #expect(state.isCompletenessProven == !isCut)
        #expect((state.finish(CURLE_OK, text: "", phase: idle) == .response) == !isCut)
    }

    @Test("content that is shown without its framing proves nothing against its end")
    func unframed() throws {
        var state = try state()
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", by: &state)
        _ = Array("a\r".utf8).withUnsafeBytes { state.receiveFramed($0) }
        _ = state.receiveBody(count: 2)
        #expect(state.finish(CURLE_OK, text: "", phase: idle) == .response)
    }

    @Test("the length that a HEAD or 304 announces is no reason to refuse it")
    func announcedOnly() throws {
        var head = try state(.head)
        _ = head.willSendRequest(isStale: false)
        #expect(receive("HTTP/1.1 200 OK", "Content-Length: 999", "", by: &head).last == .proceed)
        var get = try state()
        _ = get.willSendRequest(isStale: false)
        #expect(receive("HTTP/1.1 304 X", "Content-Length: 999", "", by: &get).last == .proceed)
    }

    @Test("a request that the server refused to look at counts as not sent, also if the next connection is stale")
    func refusedThenStale() throws {
        var post = try state(.post)
        #expect(post.willSendRequest(isStale: false) == .proceed)
        #expect(post.willSendRequest(isStale: true, wasRefused: true) == .abort)
        #expect(post.sent == .notSent)
        #expect(post.finish(CURLE_ABORTED_BY_CALLBACK, text: "", phase: idle) == .startAgain)
        #expect(post.willSendRequest(isStale: false) == .proceed)
        #expect(post.willSendRequest(isStale: false) == .abort)
    }
}
