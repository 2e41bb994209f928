// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The state of a failed connection through its proxy, which tells the proxy's failures from the server's.
struct ProxyHop: Equatable {
    let proxy: TransportSettings.Proxy
    /// Whether the connection needs a tunnel, which CONNECT opens.
    let isTunnel: Bool
    /// The status of the response to CONNECT; 0 before it.
    let connectStatus: Int
    /// Whether a SOCKS proxy rejected the user name and password, or demands them.
    let isLoginRefused: Bool

    /// The values of `CURLINFO_PROXY_ERROR` in that case.
    static let loginErrors: Set<Int64> = [
        Int64(CURLPX_NO_AUTH.rawValue), Int64(CURLPX_USER_REJECTED.rawValue),
    ]

    var isTunnelOpen: Bool { connectStatus / 100 == 2 }

    /// The proxy's host, if a failed TLS handshake was with the proxy.
    var hostOfTLS: String? {
        proxy.kind == .https && !isTunnelOpen ? proxy.address.host : nil
    }

    /// Attributes a failure to the proxy where it belongs there.
    func explain(_ failure: inout TransferFailure, _ code: CURLcode) {
        if isTunnel, connectStatus != 0, !isTunnelOpen { return explainConnectStatus(&failure) }
        switch code {
        // With SOCKS, libcurl reports the proxy's name like a server's, and a server's as the proxy's failure.
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST:
            blame(&failure, "its name could not be resolved")
        case CURLE_COULDNT_CONNECT: blame(&failure, failure.reason)
        case CURLE_PROXY: explainSOCKS(&failure)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR:
            if hostOfTLS != nil { failure.reason = "the proxy \(proxy.address): \(failure.reason)" }
        case CURLE_OPERATION_TIMEDOUT: if failure.stage == .tls { attributeTimeout(&failure) }
        default: explainTunnel(&failure)
        }
    }

    private func explainConnectStatus(_ failure: inout TransferFailure) {
        blame(&failure, "it responded to CONNECT with status \(connectStatus)")
        if connectStatus == 407 { failure.code = .proxyAuthenticationRequired }
    }

    private func explainSOCKS(_ failure: inout TransferFailure) {
        blame(&failure, failure.reason)
        if isLoginRefused { failure.code = .proxyAuthenticationRequired }
    }

    /// Until the tunnel is open, every failure is between the proxy and us.
    private func explainTunnel(_ failure: inout TransferFailure) {
        // A successful status may be followed by endless fields.
        let isOpen = isTunnelOpen && !failure.reason.contains("CONNECT")
        guard isTunnel, !isOpen, Self.exchangeCodes.contains(failure.code) else {
            return
        }
        blame(&failure, "it did not respond to CONNECT with valid HTTP: \(failure.reason)")
    }

    /// Attributes a reached limit to the proxy, which has accepted the connection, if it has not opened a tunnel.
    func attributeTimeout(_ failure: inout TransferFailure) {
        guard isTunnel, !isTunnelOpen else { return }
        failure.stage = .connect
        failure.reason = "the proxy \(proxy.address) has not opened a tunnel: \(failure.reason)"
    }

    private static let exchangeCodes: Set<SwiftyError.Code> = [
        .connectionLost, .malformedResponse, .responseTooLarge, .transportFailed,
    ]

    private func blame(_ failure: inout TransferFailure, _ reason: String) {
        failure.code = .proxyFailed
        failure.stage = .connect
        failure.reason = "the proxy \(proxy.address): \(reason)"
    }
}
