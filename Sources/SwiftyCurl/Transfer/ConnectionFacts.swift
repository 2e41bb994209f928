// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The facts about a connection that do not change once it is made.
struct ConnectionFacts {
    var remoteAddress = ""
    var remotePort: Int64 = 0
    var localAddress = ""
    var localPort: Int64 = 0
    /// The number of the connection in the process, 1 for the first; 0 without one.
    var number = 0
    var timings = ConnectTimings()
    /// The status of the proxy's response to CONNECT; `nil` if there was no CONNECT.
    var proxyStatusCode: Int?
    /// The server's certificates, and what TLS has negotiated, if the settings need them.
    var tls: TransferMetrics.TLSReport?
    /// The time at which the connection was ready, in monotonic nanoseconds.
    var established: Int64 = 0
}

/// libcurl's measurements of a connection: the ends of its phases in microseconds since its start; zero for phases that
/// have not happened.
struct ConnectTimings: Equatable {
    var nameLookup: Int64 = 0
    /// libcurl sets it together with `secured` if TLS follows: until then only `isConnected` is known.
    var connect: Int64 = 0
    var secured: Int64 = 0
    /// Whether a TCP connection was made.
    var isConnected = false
}

extension ConnectTimings {
    var lookupDuration: Duration { Self.duration(from: 0, to: nameLookup) }
    var connectDuration: Duration { Self.duration(from: nameLookup, to: connect) }
    var tlsDuration: Duration { Self.duration(from: connect, to: secured) }

    /// What of the phases lies within the last part of them: that for which a transfer has waited, although another one
    /// may have begun the connection.
    func last(_ duration: Duration) -> ConnectTimings {
        let end = max(nameLookup, connect, secured)
        let start = max(0, end &- duration.nanoseconds / 1_000)
        var part = self
        part.nameLookup = max(0, nameLookup &- start)
        part.connect = max(0, connect &- start)
        part.secured = max(0, secured &- start)
        return part
    }

    /// The stage that is under way.
    func stage(isSecure: Bool) -> SwiftyError.Stage {
        if nameLookup == 0 { return .nameLookup }
        return isConnected && isSecure ? .tls : .connect
    }

    /// The duration between two points in time; zero if the phase did not happen.
    private static func duration(from start: Int64, to end: Int64) -> Duration {
        .microseconds(max(0, end &- start))
    }
}
