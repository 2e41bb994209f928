// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Why a transfer failed, before it is made a `SwiftyError` with everything that is known about the transfer.
struct TransferFailure: Error, Equatable {
    var code: SwiftyError.Code
    var stage: SwiftyError.Stage
    var sent: SwiftyError.SentState
    var reason: String
}

/// Where a transfer was when it ended.
struct TransferPhase: Equatable {
    /// The phase that was going on.
    var stage: SwiftyError.Stage
    /// How far the request got.
    var sent: SwiftyError.SentState
}

extension TransferPhase {
    /// Derives the phase from what is known.
    ///
    /// - Parameters:
    ///   - timings: Of libcurl; its times are zero for what has not happened.
    ///   - isSecure: Whether TLS comes between the connection and the request.
    ///   - sent: How far the request got.
    ///   - isUploading: Whether part of the content is still to be sent.
    ///   - responseStage: How far the response has come.
    init(
        timings: PhaseTimings,
        isSecure: Bool,
        sent: SwiftyError.SentState,
        isUploading: Bool,
        responseStage: SwiftyError.Stage
    ) {
        self.sent = sent
        if responseStage != .firstByte {
            stage = responseStage
        } else if sent != .notSent {
            stage = isUploading ? .send : .firstByte
        } else if timings.nameLookup == 0 {
            stage = .nameLookup
        } else if !timings.isConnected {
            stage = .connect
        } else {
            stage = isSecure && timings.secured == 0 ? .tls : .send
        }
    }
}

/// When the phases of a transfer ended, in microseconds since it was started; zero for what has not happened.
struct PhaseTimings: Equatable {
    var nameLookup: Int64 = 0
    /// libcurl notes it together with `secured` if TLS follows: until then only `isConnected` tells.
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

    /// Zero if the phase did not happen.
    static func duration(from start: Int64, to end: Int64) -> Duration {
        .microseconds(max(0, end &- start))
    }
}
