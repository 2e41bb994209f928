// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension TransferFailure {
    /// Translates a `CURLcode`.
    ///
    /// - Parameters:
    ///   - curlCode: The code that libcurl ended the transfer with.
    ///   - text: libcurl's explanation, which distinguishes failures that share a code.
    ///   - phase: The phase of the transfer.
    init(curlCode: CURLcode, text: String, phase: TransferPhase) {
        let (code, stage) = Self.classify(curlCode, text: text, phase: phase)
        let isBeforeRequest = stage == .building || stage == .queue || phase.sent == .notSent
        self.init(code: code, stage: stage, sent: isBeforeRequest ? .notSent : phase.sent, reason: text)
    }

    private static func classify(
        _ curlCode: CURLcode,
        text: String,
        phase: TransferPhase
    ) -> (SwiftyError.Code, SwiftyError.Stage) {
        switch curlCode {
        case CURLE_URL_MALFORMAT: (.invalidURL, .building)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: (.proxyFailed, setupStage(phase, .connect))
        case CURLE_COULDNT_RESOLVE_HOST: (.nameResolutionFailed, setupStage(phase, .nameLookup))
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_NO_CONNECTION_AVAILABLE, CURLE_QUIC_CONNECT_ERROR:
            (.connectionFailed, setupStage(phase, .connect))
        case CURLE_OPERATION_TIMEDOUT: (.timedOut, phase.stage)
        case CURLE_READ_ERROR: (.bodyUnreadable, .send)
        case CURLE_FILESIZE_EXCEEDED: (.responseTooLarge, .body)
        case CURLE_PARTIAL_FILE: (.connectionLost, text.contains("HTTP/2") ? responseStage(phase) : .body)
        case CURLE_BAD_CONTENT_ENCODING: (.malformedResponse, .body)
        default: classifySecurity(curlCode, text: text, phase: phase)
        }
    }

    private static func classifySecurity(
        _ curlCode: CURLcode,
        text: String,
        phase: TransferPhase
    ) -> (SwiftyError.Code, SwiftyError.Stage) {
        switch curlCode {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            (.certificateInvalid, setupStage(phase, .tls))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: (.certificatePinMismatch, setupStage(phase, .tls))
        case CURLE_SSL_CERTPROBLEM: (.clientCertificateInvalid, setupStage(phase, .tls))
        case CURLE_SSL_CACERT_BADFILE: (.invalidSettings, setupStage(phase, .tls))
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            isRefusalOfIdentity(text)
                ? (.clientCertificateRefused, .tls) : classifyExchange(curlCode, text: text, phase: phase)
        case CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CIPHER,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
            (.tlsFailed, setupStage(phase, .tls))
        default: classifyExchange(curlCode, text: text, phase: phase)
        }
    }

    /// Failures between the request and the end of the response.
    private static func classifyExchange(
        _ curlCode: CURLcode,
        text: String,
        phase: TransferPhase
    ) -> (SwiftyError.Code, SwiftyError.Stage) {
        switch curlCode {
        case CURLE_SSL_CONNECT_ERROR: (.tlsFailed, setupStage(phase, .tls))
        case CURLE_WEIRD_SERVER_REPLY: (.malformedResponse, responseStage(phase))
        // libcurl reports a header line that it cannot store as a wrong argument, and an HTTP/0.9 response as a
        // protocol.
        case CURLE_UNSUPPORTED_PROTOCOL where phase.sent != .notSent: (.malformedResponse, responseStage(phase))
        case CURLE_BAD_FUNCTION_ARGUMENT where phase.sent != .notSent: (.malformedResponse, responseStage(phase))
        case CURLE_OUT_OF_MEMORY where phase.sent != .notSent: (.responseTooLarge, responseStage(phase))
        case CURLE_RECV_ERROR: (receiveErrorCode(text), receiveStage(phase))
        case CURLE_GOT_NOTHING: (.connectionLost, .firstByte)
        case CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: (.connectionLost, .send)
        case CURLE_HTTP2, CURLE_HTTP3, CURLE_SSL_SHUTDOWN_FAILED: (.connectionLost, receiveStage(phase))
        case CURLE_HTTP2_STREAM:
            (text.contains("PROTOCOL_ERROR") ? .malformedResponse : .connectionLost, receiveStage(phase))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION,
            CURLE_BAD_FUNCTION_ARGUMENT:
            (.transportFailed, .building)
        default: (.transportFailed, phase.stage)
        }
    }

    /// CURLE_RECV_ERROR means a failed read, malformed data, or data that is too large.
    private static func receiveErrorCode(_ text: String) -> SwiftyError.Code {
        if text.contains("Too large response headers") || text.contains("Out of memory") { return .responseTooLarge }
        if text.contains("chunk") || text.contains("Malformed") { return .malformedResponse }
        return .connectionLost
    }

    /// Failures of connection setup keep their own stage, whatever libcurl's timings say.
    private static func setupStage(_ phase: TransferPhase, _ stage: SwiftyError.Stage) -> SwiftyError.Stage {
        phase.sent == .notSent ? stage : phase.stage
    }

    private static func responseStage(_ phase: TransferPhase) -> SwiftyError.Stage {
        phase.stage == .body || phase.stage == .head ? phase.stage : .firstByte
    }

    /// With HTTP/2, reading can fail before the request has been sent.
    private static func receiveStage(_ phase: TransferPhase) -> SwiftyError.Stage {
        phase.sent == .notSent ? phase.stage : responseStage(phase)
    }
}
