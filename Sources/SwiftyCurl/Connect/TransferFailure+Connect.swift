// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension TransferFailure {
    /// The failure of a connection that libcurl could not make. Nothing was sent.
    ///
    /// - Parameters:
    ///   - connectCode: The code that libcurl ended the attempt with.
    ///   - text: libcurl's explanation, which distinguishes failures that share a code.
    ///   - stage: The stage that was under way.
    ///   - end: What is known of the end of TLS.
    init(connectCode: CURLcode, text: String, stage: SwiftyError.Stage, end: TLSEnd = TLSEnd()) {
        let (code, stage) =
            Self.classify(connectCode, text: text, stage: stage, end: end)
            ?? Self.classifyTLS(connectCode, text: text, stage: stage, end: end)
        let isLost = connectCode == CURLE_SSL_CONNECT_ERROR && code == .connectionLost
        let reason = isLost ? "the connection ended during the TLS handshake: \(text)" : text
        self.init(code: code, stage: stage, sent: .notSent, reason: reason)
    }

    /// What is known of the end of TLS, besides libcurl's text.
    struct TLSEnd {
        /// The alert that the peer has sent.
        var alert: TLSAlert?
        /// Whether the connection below TLS has ended or failed.
        var isConnectionLost = false
    }

    private static func classify(
        _ connectCode: CURLcode,
        text: String,
        stage: SwiftyError.Stage,
        end: TLSEnd
    ) -> (SwiftyError.Code, SwiftyError.Stage)? {
        switch connectCode {
        case CURLE_URL_MALFORMAT: (.invalidURL, .building)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION,
            CURLE_BAD_FUNCTION_ARGUMENT:
            (.transportFailed, .building)
        case CURLE_COULDNT_RESOLVE_HOST: (.nameResolutionFailed, .nameLookup)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: (.proxyFailed, .connect)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: (.connectionFailed, .connect)
        case CURLE_OPERATION_TIMEDOUT: (.timedOut, stage)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            isRefusalOfIdentity(end.alert, text) ? (.clientCertificateRefused, .tls) : (.connectionLost, stage)
        // The response of a proxy to CONNECT.
        case CURLE_GOT_NOTHING: (.connectionLost, stage)
        case CURLE_WEIRD_SERVER_REPLY: (.malformedResponse, stage)
        default: nil
        }
    }

    private static func classifyTLS(
        _ connectCode: CURLcode,
        text: String,
        stage: SwiftyError.Stage,
        end: TLSEnd
    ) -> (SwiftyError.Code, SwiftyError.Stage) {
        switch connectCode {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            (.certificateInvalid, .tls)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: (.certificatePinMismatch, .tls)
        case CURLE_SSL_CERTPROBLEM: (.clientCertificateInvalid, .tls)
        case CURLE_SSL_CACERT_BADFILE: (.invalidSettings, .tls)
        case CURLE_SSL_CONNECT_ERROR where isRefusalOfIdentity(end.alert, text): (.clientCertificateRefused, .tls)
        // As on a connection without TLS: a server that restarts says nothing about TLS.
        case CURLE_SSL_CONNECT_ERROR where end.isConnectionLost && end.alert == nil: (.connectionLost, .tls)
        case CURLE_SSL_CONNECT_ERROR: (.tlsFailed, .tls)
        case CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CIPHER,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
            (.tlsFailed, .tls)
        default: (.transportFailed, stage)
        }
    }
}

// MARK: Reasons

extension TransferFailure {
    /// Replaces libcurl's explanation with a better one if there is one.
    ///
    /// - Parameters:
    ///   - connectCode: The code that libcurl ended the attempt with.
    ///   - systemError: The error number of the last failed system call.
    ///   - host: The host that the certificate must match.
    ///   - peer: The host and port to connect to.
    ///   - overdue: The limit that was reached by the loop's clock, if any.
    mutating func explain(
        _ connectCode: CURLcode,
        systemError: Int64,
        host: String,
        peer: HostAndPort,
        overdue: TransferDeadlines.Overdue? = nil
    ) {
        switch connectCode {
        case CURLE_COULDNT_RESOLVE_HOST: reason = "the name \"\(peer.host)\" could not be resolved"
        case CURLE_COULDNT_CONNECT: reason = Self.connectReason(reason, systemError: systemError, peer: "\(peer)")
        case CURLE_PEER_FAILED_VERIFICATION:
            reason = Self.joined("the certificate of \(host) is not accepted", reason)
        // The loop and libcurl both time the connection. Whichever ends the attempt, the message is the same.
        case CURLE_OPERATION_TIMEDOUT:
            timeLimit = overdue?.timeLimit ?? .connect
            reason = overdue?.reason ?? reason
        default: break
        }
        if reason.isEmpty { reason = String(cString: curl_easy_strerror(connectCode)) }
    }

    private static func connectReason(_ text: String, systemError: Int64, peer: String) -> String {
        guard let number = Int32(exactly: systemError), number != 0 else {
            return joined("no connection to \(peer) could be made", text)
        }
        return "no connection to \(peer) could be made: \(systemErrorText(number))"
    }

    private static func joined(_ sentence: String, _ detail: String) -> String {
        detail.isEmpty ? sentence : "\(sentence): \(detail)"
    }

    /// libcurl cannot be used.
    static let noHandle = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "libcurl could not be set up: out of memory, or a version that lacks an option"
    )
}
