// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The state of a transfer", .timeLimit(.minutes(15)))
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

    private func receive(content: String, by state: inout TransferState) -> TransferState.Action {
        Array(content.utf8).withUnsafeBytes { state.receiveContent($0) { _, _ in .proceed } }
    }

    @Test("a request goes from not sent through maybe sent to responded")
    func success() throws {
        var state = try state()
        #expect(state.sent == .notSent)
        #expect(state.willSendRequest(isStale: false) == .proceed)
        #expect(state.sent == .maybeSent)
        #expect(receive("HTTP/1.1 200 OK", "Content-Length: 2", "", by: &state).allSatisfy { $0 == .proceed })
        #expect(state.sent == .responded)
        #expect(receive(content: "ab", by: &state) == .proceed)
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

    @Test("a stale connection repeats the transfer, once for each")
    func stale() throws {
        var state = try state(.post)
        #expect(state.willSendRequest(isStale: true) == .abort)
        #expect(state.sent == .notSent)
        #expect(state.finish(CURLE_ABORTED_BY_CALLBACK, text: "", phase: idle) == .retryOnNewConnection)
        #expect(state.willSendRequest(isStale: false) == .proceed)
    }

    @Test("an end that the state decides overrides libcurl's result")
    func ownFailure() throws {
        var state = try state(limit: 1)
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "", by: &state)
        #expect(receive(content: "ab", by: &state) == .abort)
        #expect(receive(content: "ab", by: &state) == .abort)
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
        "a chunked response is complete with its final line feed, whatever libcurl reports",
        arguments: ["", "\r", "\r\n", "\r\nE"]
    )
    func lastLineFeed(_ end: String) throws {
        var state = try state()
        _ = state.willSendRequest(isStale: false)
        _ = receive("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", by: &state)
        for part in ["1\r\na", "\r\n0\r\n" + end] {
            #expect(receive(content: part, by: &state) == .proceed)
        }
        #expect(state.bodyByteCount == 1)
        let isComplete = end.hasPrefix("\r\n")
        #expect(state.isResponseComplete == isComplete)
        #expect(state.isCompletenessProven == isComplete)
        #expect(state.forbidsReuse == end.hasSuffix("E"))
        #expect((state.finish(CURLE_OK, text: "", phase: idle) == .response) == isComplete)
    }

    @Test("content over HTTP/2 is proven to be complete by its length alone")
    func withoutLength() throws {
        for (field, isProven) in [("Content-Length: 2", true), ("A: b", false)] {
            var state = try state()
            _ = state.willSendRequest(isStale: false, version: .http2)
            _ = receive("HTTP/2 200", field, "", by: &state)
            _ = receive(content: "ab", by: &state)
            #expect(state.isCompletenessProven == isProven)
            #expect(state.finish(CURLE_OK, text: "", phase: idle) == .response)
        }
    }

    @Test(
        "an error has the stage in which it occurred",
        arguments: [
            (["hello"], "", SwiftyError.Stage.firstByte), (["HTTP/1.1 200 OK", "no colon"], "", .head),
            (["HTTP/1.1 200 OK", "A: \(String(repeating: "b", count: 2_000))"], "", .head),
            (["HTTP/1.1 103 Hints", "", "hello"], "", .firstByte),
            (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", ""], "x", .body),
            (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", ""], "0\r\nno colon\r\n", .body),
            (["HTTP/1.1 200 OK", "Content-Length: 101", ""], "", .body),
        ]
    )
    func stages(_ lines: [String], content: String, stage: SwiftyError.Stage) throws {
        var state = try state()
        _ = state.willSendRequest(isStale: false)
        for line in lines { _ = receive(line, by: &state) }
        _ = receive(content: content, by: &state)
        #expect(state.failure?.stage == stage)
    }

    @Test("the length that a HEAD or 304 announces is not an error")
    func announcedOnly() throws {
        var head = try state(.head)
        _ = head.willSendRequest(isStale: false)
        #expect(receive("HTTP/1.1 200 OK", "Content-Length: 999", "", by: &head).last == .proceed)
        var get = try state()
        _ = get.willSendRequest(isStale: false)
        #expect(receive("HTTP/1.1 304 X", "Content-Length: 999", "", by: &get).last == .proceed)
    }

    @Test("a request that the server did not process counts as not sent, even if the next connection is stale")
    func refusedThenStale() throws {
        var post = try state(.post)
        #expect(post.willSendRequest(isStale: false) == .proceed)
        #expect(post.willSendRequest(isStale: true, wasNotProcessed: true) == .abort)
        #expect(post.sent == .notSent)
        #expect(post.finish(CURLE_ABORTED_BY_CALLBACK, text: "", phase: idle) == .retryOnNewConnection)
        #expect(post.willSendRequest(isStale: false) == .proceed)
        #expect(post.willSendRequest(isStale: false) == .abort)
    }
}
