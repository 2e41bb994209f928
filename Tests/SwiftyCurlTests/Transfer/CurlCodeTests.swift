// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The meaning of libcurl's codes", .timeLimit(.minutes(15)))
struct CurlCodeTests {
    private func failure(
        _ code: UInt32,
        _ text: String = "",
        stage: SwiftyError.Stage = .firstByte,
        sent: SwiftyError.SentState = .maybeSent
    ) -> TransferFailure {
        TransferFailure(curlCode: CURLcode(code), text: text, phase: TransferPhase(stage: stage, sent: sent))
    }

    /// A code, its meaning and stage before anything was sent, and while waiting for the response.
    private static let table: [(UInt32, SwiftyError.Code, SwiftyError.Stage, SwiftyError.Code, SwiftyError.Stage)] = [
        (1, .transportFailed, .building, .malformedResponse, .firstByte),
        (2, .transportFailed, .building, .transportFailed, .building),
        (3, .invalidURL, .building, .invalidURL, .building),
        (4, .transportFailed, .building, .transportFailed, .building),
        (5, .proxyFailed, .connect, .proxyFailed, .firstByte),
        (6, .nameResolutionFailed, .nameLookup, .nameResolutionFailed, .firstByte),
        (7, .connectionFailed, .connect, .connectionFailed, .firstByte),
        (8, .malformedResponse, .firstByte, .malformedResponse, .firstByte),
        (16, .connectionLost, .connect, .connectionLost, .firstByte),
        (18, .connectionLost, .body, .connectionLost, .body),
        (26, .bodyUnreadable, .send, .bodyUnreadable, .send),
        (27, .transportFailed, .connect, .responseTooLarge, .firstByte),
        (28, .timedOut, .connect, .timedOut, .firstByte),
        (35, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (43, .transportFailed, .building, .malformedResponse, .firstByte),
        (45, .connectionFailed, .connect, .connectionFailed, .firstByte),
        (48, .transportFailed, .building, .transportFailed, .building),
        (52, .connectionLost, .firstByte, .connectionLost, .firstByte),
        (53, .tlsFailed, .tls, .tlsFailed, .firstByte), (54, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (55, .connectionLost, .send, .connectionLost, .send),
        (56, .connectionLost, .connect, .connectionLost, .firstByte),
        (58, .clientCertificateInvalid, .tls, .clientCertificateInvalid, .firstByte),
        (59, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (60, .certificateInvalid, .tls, .certificateInvalid, .firstByte),
        (61, .malformedResponse, .body, .malformedResponse, .body),
        (63, .responseTooLarge, .body, .responseTooLarge, .body),
        (64, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (65, .connectionLost, .send, .connectionLost, .send),
        (66, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (77, .invalidSettings, .tls, .invalidSettings, .firstByte),
        (80, .connectionLost, .connect, .connectionLost, .firstByte),
        (82, .tlsFailed, .tls, .tlsFailed, .firstByte),
        (83, .certificateInvalid, .tls, .certificateInvalid, .firstByte),
        (89, .connectionFailed, .connect, .connectionFailed, .firstByte),
        (90, .certificatePinMismatch, .tls, .certificatePinMismatch, .firstByte),
        (91, .certificateInvalid, .tls, .certificateInvalid, .firstByte),
        (92, .connectionLost, .connect, .connectionLost, .firstByte),
        (95, .connectionLost, .connect, .connectionLost, .firstByte),
        (96, .connectionFailed, .connect, .connectionFailed, .firstByte),
        (97, .proxyFailed, .connect, .proxyFailed, .firstByte),
        (98, .tlsFailed, .tls, .tlsFailed, .firstByte),
    ]

    @Test("every code has a meaning, a stage and a sent-state", arguments: 1...99 as ClosedRange<UInt32>)
    func everyCode(_ code: UInt32) {
        let early = failure(code, stage: .connect, sent: .notSent)
        let late = failure(code)
        if let row = Self.table.first(where: { $0.0 == code }) {
            #expect(early.code == row.1)
            #expect(early.stage == row.2)
            #expect(late.code == row.3)
            #expect(late.stage == row.4)
        } else {
            #expect(early.code == .transportFailed)
            #expect(late.code == .transportFailed)
            #expect(late.stage == .firstByte)
        }
        #expect(early.sent == .notSent)
        #expect(late.sent == (late.stage == .building ? .notSent : .maybeSent))
        #expect(failure(code, stage: .body, sent: .responded).sent != .maybeSent)
    }

    @Test("every code is explained in one sentence, with libcurl's text or without", arguments: 1...99)
    func words(_ code: Int) throws {
        let stages: [(SwiftyError.Stage, SwiftyError.SentState)] = [
            (.queue, .notSent), (.nameLookup, .notSent), (.connect, .notSent), (.tls, .notSent), (.send, .maybeSent),
            (.firstByte, .maybeSent), (.body, .responded),
        ]
        let limits: [TransferDeadlines.Overdue?] = [nil, .total(.seconds(5)), .connect(.seconds(2))]
        for (stage, sent) in stages {
            for text in ["", "words of  libcurl ", "words"] {
                for (overdue, systemError) in zip(limits, [Int64(0), 111, 99_999]) {
                    var failure = failure(UInt32(code), text, stage: stage, sent: sent)
                    let peer = HostAndPort(host: "a.test", port: 1)
                    failure.explain(
                        CURLcode(UInt32(code)),
                        systemError: systemError,
                        host: "a.test",
                        peer: peer,
                        overdue: overdue
                    )
                    let error = SwiftyError(failure.code, stage: failure.stage, reason: failure.reason)
                    let words = error.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(words == error.description)
                    #expect(words.last != ":")
                    #expect(!failure.reason.isEmpty)
                    if error.isTimeout, let overdue { #expect(error.reason == overdue.reason) }
                }
            }
        }
    }

    @Test("failures that share a code are distinguished by libcurl's text")
    func texts() {
        #expect(failure(56, "Too large response headers: 307210 > 307200").code == .responseTooLarge)
        #expect(failure(56, "Illegal or missing hexadecimal sequence in chunked-encoding").code == .malformedResponse)
        #expect(failure(56, "Connection died, tried 5 times before giving up").code == .connectionLost)
        let stream = "HTTP/2 stream 1 was not closed cleanly: "
        #expect(failure(92, stream + "PROTOCOL_ERROR (err 1)").code == .malformedResponse)
        #expect(failure(92, stream + "INTERNAL_ERROR (err 2)").code == .connectionLost)
    }

    @Test("the stage follows from libcurl's timings")
    func stages() {
        #expect(ConnectTimings().stage(isSecure: true) == .nameLookup)
        #expect(ConnectTimings(nameLookup: 1).stage(isSecure: true) == .connect)
        #expect(ConnectTimings(nameLookup: 1, isConnected: true).stage(isSecure: true) == .tls)
        #expect(ConnectTimings(nameLookup: 1, isConnected: true).stage(isSecure: false) == .connect)
    }
}
