// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// libcurl's measurements of the transfer that has just ended.
    func measurements(endedAt now: Int64) -> TransferMeasurements {
        var result = TransferMeasurements()
        result.timings = timings
        result.isConnectionReused = transfer?.state.sent != .notSent && ccurl_get_long(curl, CURLINFO_NUM_CONNECTS) == 0
        result.requestHeaderBytes = ccurl_get_long(curl, CURLINFO_REQUEST_SIZE)
        result.requestBodyBytes = ccurl_get_offset(curl, CURLINFO_SIZE_UPLOAD_T)
        result.remoteAddress = ccurl_get_string(curl, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? ""
        result.remotePort = ccurl_get_long(curl, CURLINFO_PRIMARY_PORT)
        result.certificates = transfer?.certificates ?? []
        if transfer?.proxy != nil { result.proxyStatusCode = proxyStatusCode }
        result.started = started
        result.ended = now
        return result
    }

    var timings: PhaseTimings {
        PhaseTimings(
            nameLookup: ccurl_get_offset(curl, CURLINFO_NAMELOOKUP_TIME_T),
            connect: ccurl_get_offset(curl, CURLINFO_CONNECT_TIME_T),
            secured: ccurl_get_offset(curl, CURLINFO_APPCONNECT_TIME_T),
            ready: ccurl_get_offset(curl, CURLINFO_PRETRANSFER_TIME_T),
            firstByte: ccurl_get_offset(curl, CURLINFO_STARTTRANSFER_TIME_T),
            total: ccurl_get_offset(curl, CURLINFO_TOTAL_TIME_T),
            isConnected: ccurl_get_long(curl, CURLINFO_LOCAL_PORT) > 0
        )
    }

    /// The current phase of the transfer.
    func phase(of transfer: Transfer) -> TransferPhase {
        TransferPhase(
            timings: timings,
            isSecure: transfer.target.scheme == .https,
            sent: transfer.state.sent == .maybeSent && wasNotProcessed ? .notSent : transfer.state.sent,
            isUploading: transfer.isUploading,
            responseStage: transfer.state.head.stage
        )
    }

    /// libcurl's description of the error.
    var errorDescription: String { String(cString: errorText) }

    /// The number of bytes of the request's content that libcurl has written.
    var uploadedByteCount: Int64 { ccurl_get_offset(curl, CURLINFO_SIZE_UPLOAD_T) }
}
