// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An error code of HTTP/2 (RFC 9113 §7).
enum HTTP2ErrorCode: UInt32 {
    case noError = 0
    case protocolError, internalError, flowControlError, settingsTimeout, streamClosed, frameSizeError
    case refusedStream, cancel, compressionError, connectError, enhanceYourCalm, inadequateSecurity, http11Required

    /// The name of a code, as RFC 9113 writes it.
    static func name(_ code: UInt32) -> String {
        guard names.indices.contains(Int(code)) else { return "error \(code)" }
        return names[Int(code)]
    }

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
}
