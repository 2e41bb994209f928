// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@testable import SwiftyURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The measurements of a session", .timeLimit(.minutes(15)))
struct MeasuredTransactionTests {
    private func metrics(of measured: MeasuredTransaction) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.total = .seconds(9)
        metrics.responseContentBytes = 3
        measured.fill(&metrics)
        return metrics
    }

    private func time(_ seconds: TimeInterval) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    @Test("become the phases, the peer and the version of a transfer")
    func newConnection() {
        var measured = MeasuredTransaction()
        measured.nameLookup = (time(0), time(1))
        measured.connect = (time(1), time(6))
        measured.tls = (time(3), time(6))
        measured.requestStart = time(6)
        measured.response = (time(10), time(15))
        (measured.protocolName, measured.isSecure) = ("h2", true)
        (measured.remoteAddress, measured.remotePort) = ("192.0.2.1", 443)
        (measured.requestHeaderBytes, measured.responseHeaderBytes) = (80, 120)
        var expected = TransferMetrics()
        (expected.nameLookup, expected.connect, expected.tls) = (.seconds(1), .seconds(2), .seconds(3))
        (expected.firstByte, expected.receive, expected.total) = (.seconds(4), .seconds(5), .seconds(9))
        (expected.requestHeaderBytes, expected.responseHeaderBytes, expected.responseContentBytes) = (80, 120, 3)
        (expected.remoteAddress, expected.remotePort) = ("192.0.2.1", 443)
        (expected.httpVersion, expected.isServerVerified) = (.http2, true)
        #expect(metrics(of: measured) == expected)
    }

    @Test("leave the phases of a reused connection at zero")
    func reusedConnection() {
        var measured = MeasuredTransaction()
        (measured.requestStart, measured.response, measured.isReused) = (time(0), (time(1), time(3)), true)
        let metrics = metrics(of: measured)
        #expect(metrics.nameLookup == .zero && metrics.connect == .zero && metrics.tls == .zero)
        #expect(metrics.firstByte == .seconds(1) && metrics.receive == .seconds(2) && metrics.isConnectionReused)
        #expect(metrics.httpVersion == nil && metrics.isServerVerified == nil && metrics.remotePort == 0)
    }

    @Test("have no negative time, and no overflow")
    func strangeClocks() {
        var measured = MeasuredTransaction()
        measured.nameLookup = (time(5), time(1))
        measured.response = (time(0), .distantFuture)
        #expect(metrics(of: measured).nameLookup == .zero)
        #expect(metrics(of: measured).receive == .seconds(1_000_000_000))
    }

    #if canImport(FoundationNetworking)
    @Test("are none with FoundationNetworking, whose metrics are empty")
    func none() async throws {
        #expect(MeasuredTransaction(URLSessionTaskMetrics()) == nil)
        let server = try LoopbackServer()
        let swifty = Swifty(transport: URLSessionTransport())
        let response = try await BaseResource(server.url, networkInterface: swifty).get("get").load()
        let metrics = try #require(response.metrics.transfer)
        #expect(metrics.total > .zero && metrics.responseContentBytes > 0)
        #expect(metrics.firstByte == .zero && metrics.remoteAddress.isEmpty && metrics.httpVersion == nil)
    }
    #endif
}
