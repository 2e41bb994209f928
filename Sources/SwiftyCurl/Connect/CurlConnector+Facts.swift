// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension CurlConnector {
    var facts: ConnectionFacts {
        releasedFacts
            ?? ConnectionFacts(
                remoteAddress: ccurl_get_string(curl, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? "",
                remotePort: ccurl_get_long(curl, CURLINFO_PRIMARY_PORT),
                localAddress: ccurl_get_string(curl, CURLINFO_LOCAL_IP).map { String(cString: $0) } ?? "",
                localPort: ccurl_get_long(curl, CURLINFO_LOCAL_PORT),
                number: connectionNumber,
                timings: timings,
                proxyStatusCode: proxyStatusCode,
                tls: TransferMetrics.TLSReport(certificates: certificates, parameters: nil),
                established: resources.now
            )
    }

    private var timings: ConnectTimings {
        releasedFacts?.timings
            ?? ConnectTimings(
                nameLookup: ccurl_get_offset(curl, CURLINFO_NAMELOOKUP_TIME_T),
                connect: ccurl_get_offset(curl, CURLINFO_CONNECT_TIME_T),
                secured: ccurl_get_offset(curl, CURLINFO_APPCONNECT_TIME_T),
                isConnected: ccurl_get_long(curl, CURLINFO_LOCAL_PORT) > 0
            )
    }

    var stage: SwiftyError.Stage {
        timings.stage(isSecure: target.scheme == .https)
    }

    private var proxyStatusCode: Int? {
        let status = ccurl_get_long(curl, CURLINFO_HTTP_CONNECTCODE)
        return status == 0 ? nil : Int(clamping: status)
    }

    /// The state of the connection through its proxy; `nil` without a proxy.
    private var proxyHop: ProxyHop? {
        guard let proxy, releasedFacts == nil else { return nil }
        return ProxyHop(
            proxy: proxy,
            isTunnel: proxy.kind.isHTTP && (target.scheme == .https || route != nil),
            connectStatus: proxyStatusCode ?? 0,
            isLoginRefused: ProxyHop.loginErrors.contains(ccurl_get_long(curl, CURLINFO_PROXY_ERROR))
        )
    }
}

// MARK: Failures

extension CurlConnector {
    func explain(_ code: ConnectEnd.Code, overdue: TransferDeadlines.Overdue?) -> TransferFailure {
        let code = CURLcode(code)
        if let failure { return failure }
        let text = String(cString: errorText)
        // The server's answer to an offer of HTTP/2 alone (RFC 7301 §3.2).
        if resources.environment.settings.connections.version == .http2, text.contains("no application protocol") {
            return .versionUnavailable
        }
        let end = TransferFailure.TLSEnd(alert: alert, isConnectionLost: protocols.pointee.reading.has_ended)
        var failure = TransferFailure(connectCode: code, text: text, stage: stage, end: end)
        let hop = proxyHop
        failure.explain(
            code,
            systemError: ccurl_get_long(curl, CURLINFO_OS_ERRNO),
            host: hop?.hostOfTLS ?? target.host,
            peer: hop?.proxy.address ?? route ?? HostAndPort(of: target),
            overdue: overdue
        )
        hop?.explain(&failure, code)
        failure.explain(connectCode: code, socketError)
        failure.explainTLS(
            host: target.host,
            pins: hostRules?.pins,
            certificates: failure.stage == .tls ? certificates : [],
            identity: resources.environment.settings.tls.identity
        )
        return failure
    }

    /// The last TLS alert that the server has sent.
    var alert: TLSAlert? { TLSAlert(number: protocols.pointee.reading.alert) }

    func attributeTimeout(_ failure: inout TransferFailure) {
        if let hop = proxyHop, timings.isConnected { hop.attributeTimeout(&failure) }
    }

    /// The maximum number of steps to set up a connection, which normally takes a few dozen. libcurl reads the content
    /// of a failed CONNECT byte by byte, as long as there is more, blocks the loop meanwhile, and reports each byte as
    /// a step.
    private static let stepLimit = 100_000

    /// Counts a step of a connection through a proxy. Returns `false` if the proxy's response to CONNECT is endless.
    func countStep() -> Bool {
        stepCount += 1
        guard stepCount > Self.stepLimit else { return true }
        failure = TransferFailure(
            code: .proxyFailed,
            stage: .connect,
            sent: .notSent,
            reason: "the proxy refused the tunnel with more than \(Self.stepLimit) bytes"
        )
        return false
    }
}

extension TransferFailure {
    /// The server does not speak the version of HTTP that the settings demand.
    static let versionUnavailable = TransferFailure(
        code: .versionUnavailable,
        stage: .tls,
        sent: .notSent,
        reason: "the server does not offer HTTP/2, which the settings demand"
    )
}
