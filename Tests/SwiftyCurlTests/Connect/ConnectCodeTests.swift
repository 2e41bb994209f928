// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The meaning of libcurl's codes for a connection", .timeLimit(.minutes(15)))
struct ConnectCodeTests {
    private func failure(
        _ code: UInt32,
        _ text: String = "",
        stage: SwiftyError.Stage = .connect
    ) -> TransferFailure {
        TransferFailure(connectCode: CURLcode(code), text: text, stage: stage)
    }

    /// A code, its meaning, and its stage; `nil` for the stage that was under way.
    private static let table: [(UInt32, SwiftyError.Code, SwiftyError.Stage?)] = [
        (1, .transportFailed, .building), (2, .transportFailed, .building), (3, .invalidURL, .building),
        (4, .transportFailed, .building), (5, .proxyFailed, .connect), (6, .nameResolutionFailed, .nameLookup),
        (7, .connectionFailed, .connect), (8, .malformedResponse, nil), (28, .timedOut, nil), (35, .tlsFailed, .tls),
        (43, .transportFailed, .building), (45, .connectionFailed, .connect), (48, .transportFailed, .building),
        (52, .connectionLost, nil), (53, .tlsFailed, .tls), (54, .tlsFailed, .tls), (55, .connectionLost, nil),
        (56, .connectionLost, nil), (58, .clientCertificateInvalid, .tls), (59, .tlsFailed, .tls),
        (60, .certificateInvalid, .tls), (64, .tlsFailed, .tls), (66, .tlsFailed, .tls), (77, .invalidSettings, .tls),
        (82, .tlsFailed, .tls), (83, .certificateInvalid, .tls), (90, .certificatePinMismatch, .tls),
        (91, .certificateInvalid, .tls), (97, .proxyFailed, .connect), (98, .tlsFailed, .tls),
    ]

    @Test("every code has a meaning and a stage, and nothing was sent", arguments: 1...99 as ClosedRange<UInt32>)
    func everyCode(_ code: UInt32) {
        let row = Self.table.first { $0.0 == code }
        for stage in [SwiftyError.Stage.nameLookup, .connect, .tls] {
            let failure = failure(code, stage: stage)
            #expect(failure.code == row?.1 ?? .transportFailed)
            #expect(failure.stage == row?.2 ?? stage)
            #expect(failure.sent == .notSent)
        }
    }

    @Test("every code is explained in one sentence, with libcurl's text or without", arguments: 1...99)
    func words(_ code: Int) throws {
        let limits: [TransferDeadlines.Overdue?] = [nil, .total(.seconds(5)), .connect(.seconds(2))]
        for stage in [SwiftyError.Stage.queue, .nameLookup, .connect, .tls] {
            for text in ["", "words of  libcurl ", "words"] {
                for (overdue, systemError) in zip(limits, [Int64(0), 111, 99_999]) {
                    var failure = failure(UInt32(code), text, stage: stage)
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

    @Test("a refused client certificate is recognized by the alert, while connecting and later")
    func refusedIdentity() {
        let text = "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0"
        for code: UInt32 in [35, 55, 56] {
            #expect(failure(code, text, stage: .tls).code == .clientCertificateRefused)
            #expect(failure(code, "words", stage: .tls).code != .clientCertificateRefused)
        }
        let later = TransferFailure(ChannelFailure.tls(text, nil), stage: .firstByte, sent: .maybeSent)
        #expect((later.code, later.stage, later.sent) == (.clientCertificateRefused, .tls, .maybeSent))
        let alert = TLSAlert(number: 116)
        let told = TransferFailure(ChannelFailure.tls("words", alert), stage: .firstByte, sent: .maybeSent)
        #expect((told.code, told.stage) == (.clientCertificateRefused, .tls))
        let end = TransferFailure.TLSEnd(alert: TLSAlert(number: 40), isConnectionLost: true)
        // The alert counts, not the words, and not the end of the connection behind it.
        let other = TransferFailure(connectCode: CURLcode(35), text: text, stage: .tls, end: end)
        #expect(other.code == .tlsFailed)
        let lost = TransferFailure(ChannelFailure.tls("words", nil), stage: .content, sent: .responded)
        #expect((lost.code, lost.stage, lost.sent) == (.connectionLost, .content, .responded))
    }

    @Test("the stage follows from libcurl's timings")
    func stages() {
        #expect(ConnectTimings().stage(isSecure: true) == .nameLookup)
        #expect(ConnectTimings(nameLookup: 1).stage(isSecure: true) == .connect)
        #expect(ConnectTimings(nameLookup: 1, isConnected: true).stage(isSecure: true) == .tls)
        #expect(ConnectTimings(nameLookup: 1, isConnected: true).stage(isSecure: false) == .connect)
    }
}
