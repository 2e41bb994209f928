// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SwiftyTransport

extension SwiftyError {
    /// The failure of a client.
    init(clientError error: any Error, hasHead: Bool, isProxied: Bool) {
        if let error = error as? SwiftyError {
            self = error
            return
        }
        let cause = Cause(error, hasHead: hasHead, isProxied: isProxied)
        self.init(cause.code, stage: cause.stage, sent: cause.sent, reason: "\(error)", underlying: error)
    }
}

/// What the error of a client says about a transfer.
private struct Cause {
    let code: SwiftyError.Code
    let stage: SwiftyError.Stage
    let sent: SwiftyError.SentState

    init(_ error: any Error, hasHead: Bool, isProxied: Bool) {
        if !hasHead, let connecting = Self.connecting(error) {
            // A failure behind the proxy, such as that of the origin's TLS, is not the proxy's.
            let isProxy = isProxied && (connecting.0 == .connectionFailed || connecting.0 == .nameResolutionFailed)
            (code, stage) = isProxy ? (.proxyFailed, .connect) : connecting
            sent = .notSent
        } else {
            code = Self.transferring(error)
            stage = hasHead ? .content : .firstByte
            sent = hasHead ? .responded : .maybeSent
        }
    }

    /// Failures before anything is sent; `nil` for others.
    private static func connecting(_ error: any Error) -> (SwiftyError.Code, SwiftyError.Stage)? {
        if let error = error as? NIOConnectionError {
            return error.connectionErrors.isEmpty ? (.nameResolutionFailed, .nameLookup) : (.connectionFailed, .connect)
        }
        if let error = error as? IOError, error.errnoCode == ECONNREFUSED { return (.connectionFailed, .connect) }
        switch error as? HTTPClientError {
        case .alreadyShutdown?: return (.shutdown, .queue)
        case .getConnectionFromPoolTimeout?: return (.timedOut, .queue)
        case .connectTimeout?: return (.timedOut, .connect)
        case .tlsHandshakeTimeout?: return (.timedOut, .tls)
        case .invalidProxyResponse?, .httpProxyHandshakeTimeout?, .socksHandshakeTimeout?:
            return (.proxyFailed, .connect)
        case .proxyAuthenticationRequired?: return (.proxyAuthenticationRequired, .connect)
        case .invalidURL?, .emptyHost?: return (.invalidURL, .building)
        default: return handshake(error)
        }
    }

    /// The failure of a handshake; `nil` for other errors of TLS, which may come after the request.
    private static func handshake(_ error: any Error) -> (SwiftyError.Code, SwiftyError.Stage)? {
        if let error = error as? NIOSSLExtraError {
            return (error == .failedToValidateHostname ? .certificateInvalid : .tlsFailed, .tls)
        }
        guard case .handshakeFailed? = error as? NIOSSLError else { return nil }
        return ("\(error)".contains("CERTIFICATE_VERIFY_FAILED") ? .certificateInvalid : .tlsFailed, .tls)
    }

    private static func transferring(_ error: any Error) -> SwiftyError.Code {
        if let error = error as? HTTPParserError {
            return error == .invalidEOFState ? .connectionLost : .malformedResponse
        }
        switch error as? HTTPClientError {
        case .cancelled?, .requestStreamCancelled?: return .cancelled
        case .deadlineExceeded?, .readTimeout?, .writeTimeout?: return .timedOut
        case .bodyLengthMismatch?: return .contentUnreadable
        default: return String(reflecting: type(of: error)).contains("Decoder") ? .malformedResponse : .connectionLost
        }
    }
}
