// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a session has measured of one exchange of a task. What it does not tell is `nil`.
struct MeasuredTransaction: Sendable {
    var nameLookup: (start: Date?, end: Date?)
    var connect: (start: Date?, end: Date?)
    var tls: (start: Date?, end: Date?)
    var requestStart: Date?
    var response: (start: Date?, end: Date?)
    /// The name of the protocol in ALPN, such as `h2`.
    var protocolName: String?
    var remoteAddress: String?
    var remotePort: Int?
    var isReused = false
    var isSecure = false
    var requestHeaderBytes = 0
    var responseHeaderBytes = 0

    /// Replaces what the session has measured; the rest stays as it is.
    func fill(_ metrics: inout TransferMetrics) {
        metrics.nameLookup = Self.duration(nameLookup)
        // Foundation counts the handshake of TLS as a part of connecting.
        metrics.connect = Self.duration((connect.start, tls.start ?? connect.end))
        metrics.tls = Self.duration(tls)
        metrics.firstByte = Self.duration((requestStart ?? connect.end, response.start))
        metrics.receive = Self.duration(response)
        metrics.requestHeaderBytes = requestHeaderBytes
        metrics.responseHeaderBytes = responseHeaderBytes
        metrics.httpVersion = protocolName.flatMap { Self.versions[$0.lowercased()] }
        metrics.remoteAddress = remoteAddress ?? ""
        metrics.remotePort = remotePort ?? 0
        metrics.isConnectionReused = isReused
        // Nothing turns the verification off.
        metrics.isServerVerified = isSecure ? true : nil
    }

    private static let versions: [String: ResponseHead.HTTPVersion] = [
        "http/1.0": .http1_0, "http/1.1": .http1_1, "h2": .http2, "h3": .http3,
    ]

    /// Zero for a phase that did not happen, or whose times are those of a clock that was set back.
    private static func duration(_ phase: (start: Date?, end: Date?)) -> Duration {
        guard let start = phase.start, let end = phase.end else { return .zero }
        return .seconds(min(max(0, end.timeIntervalSince(start)), 1e9))
    }
}

extension MeasuredTransaction {
    /// The last exchange of a task over the network; `nil` if none was measured.
    ///
    /// FoundationNetworking of Swift 6.3 measures none, and does not call the delegate.
    init?(_ metrics: URLSessionTaskMetrics) {
        let transactions = metrics.transactionMetrics
        guard let last = transactions.last(where: { $0.resourceFetchType == .networkLoad }) ?? transactions.last else {
            return nil
        }
        self.init(last)
    }

    private init(_ measured: URLSessionTaskTransactionMetrics) {
        nameLookup = (measured.domainLookupStartDate, measured.domainLookupEndDate)
        connect = (measured.connectStartDate, measured.connectEndDate)
        tls = (measured.secureConnectionStartDate, measured.secureConnectionEndDate)
        requestStart = measured.requestStartDate
        response = (measured.responseStartDate, measured.responseEndDate)
        protocolName = measured.networkProtocolName
        remoteAddress = measured.remoteAddress
        // A number on Apple's systems, text in FoundationNetworking.
        remotePort = measured.remotePort.flatMap { Int("\($0)") }
        isReused = measured.isReusedConnection
        isSecure = measured.negotiatedTLSProtocolVersion != nil
        requestHeaderBytes = Int(clamping: measured.countOfRequestHeaderBytesSent)
        responseHeaderBytes = Int(clamping: measured.countOfResponseHeaderBytesReceived)
    }
}
