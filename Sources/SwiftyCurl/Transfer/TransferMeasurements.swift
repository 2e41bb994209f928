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
