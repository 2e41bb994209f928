// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// libcurl's measurements, copied from the easy handle before the next transfer uses it.
struct TransferMeasurements {
    var timings = PhaseTimings()
    var isConnectionReused = false
    var requestHeaderBytes: Int64 = 0
    var requestBodyBytes: Int64 = 0
    var remoteAddress = ""
    var remotePort: Int64 = 0
    var certificates: [ServerCertificate] = []
    var proxyStatusCode: Int?
    /// The times of start and end, in monotonic nanoseconds.
    var started: Int64 = 0
    var ended: Int64 = 0

    /// The metrics of the transfer. Phases that did not happen are zero.
    func metrics(of transfer: Transfer) -> TransferMetrics {
        var metrics = TransferMetrics()
        fillPhases(&metrics)
        metrics.queue = Self.nanoseconds(from: transfer.handedOver, to: started)
        metrics.total = Self.nanoseconds(from: transfer.handedOver, to: ended)
        metrics.requestHeaderBytes = Int(clamping: requestHeaderBytes)
        metrics.requestBodyBytes = Int(clamping: requestBodyBytes)
        metrics.responseHeaderBytes = transfer.state.head.byteCount
        metrics.responseBodyBytes = transfer.state.bodyByteCount
        metrics.remoteAddress = remoteAddress
        metrics.remotePort = Int(clamping: remotePort)
        metrics.isConnectionReused = isConnectionReused
        metrics.isServerVerified = transfer.isServerVerified
        metrics.certificates = certificates
        metrics.proxy = transfer.proxy?.address
        metrics.proxyStatusCode = proxyStatusCode
        metrics.isCompletenessProven = transfer.outcome?.failure == nil && transfer.state.isCompletenessProven
        return metrics
    }

    private func fillPhases(_ metrics: inout TransferMetrics) {
        if !isConnectionReused {
            metrics.nameLookup = timings.lookupDuration
            metrics.connect = timings.connectDuration
            metrics.tls = timings.tlsDuration
        }
        if timings.ready > 0 { metrics.firstByte = PhaseTimings.duration(from: timings.ready, to: timings.firstByte) }
        if timings.firstByte > 0 {
            metrics.receive = PhaseTimings.duration(from: timings.firstByte, to: timings.total)
        }
    }

    private static func nanoseconds(from start: Int64, to end: Int64) -> Duration {
        start == 0 ? .zero : .nanoseconds(max(0, end &- start))
    }
}

/// The ends of a transfer's phases, in microseconds since its start; zero for phases that have not happened.
struct PhaseTimings: Equatable {
    var nameLookup: Int64 = 0
    /// libcurl sets it together with `secured` if TLS follows: until then only `isConnected` is known.
    var connect: Int64 = 0
    var secured: Int64 = 0
    var ready: Int64 = 0
    var firstByte: Int64 = 0
    var total: Int64 = 0
    /// Whether a TCP connection was made.
    var isConnected = false
}

extension PhaseTimings {
    var lookupDuration: Duration { Self.duration(from: 0, to: nameLookup) }
    var connectDuration: Duration { Self.duration(from: nameLookup, to: connect) }
    var tlsDuration: Duration { Self.duration(from: connect, to: secured) }

    /// The duration between two points in time; zero if the phase did not happen.
    static func duration(from start: Int64, to end: Int64) -> Duration {
        .microseconds(max(0, end &- start))
    }
}
