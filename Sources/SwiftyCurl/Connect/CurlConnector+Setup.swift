// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension CurlConnector {
    /// Sets all options of the new handle. Returns `false` if one was rejected.
    func setUp(route: UnsafeMutablePointer<curl_slist>?, _ timeouts: NetworkRequest.Timeouts) -> Bool {
        var options = OptionWriter(curl)
        options.set(CURLOPT_CONNECT_ONLY, 1)
        options.set(CURLOPT_FRESH_CONNECT, 1)
        options.set(CURLOPT_URL, target.origin)
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_NETRC, 0)
        options.set(CURLOPT_TCP_KEEPALIVE, 1)
        options.set(CURLOPT_BUFFERSIZE, 1024)
        options.set(CURLOPT_DNS_CACHE_TIMEOUT, 60)
        // Cancelling must not wait for a name lookup, which may take many seconds in its thread.
        options.set(CURLOPT_QUICK_EXIT, 1)
        options.set(CURLOPT_PROTOCOLS_STR, "http,https")
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // The loop enforces the limit; see ``TransferDeadlines``. libcurl divides it among the addresses of a host, and
        // gets a margin so that the loop's limit applies first. Without one, it would apply its own of five minutes.
        let limit = timeouts.connect.map { ($0 + .milliseconds(500)).millisecondsForCurl }
        options.set(CURLOPT_CONNECTTIMEOUT_MS, limit ?? Int(Int32.max))
        options.setPointer(CURLOPT_SHARE, dialer.share)
        if let route { options.setPointer(CURLOPT_CONNECT_TO, route) }
        setUpProxy(&options)
        if usesTLS { setUpTLS(&options) }
        setUpAddresses(resources.environment.settings.addresses, &options)
        setUpCallbacks(&options)
        return options.result == CURLE_OK
    }

    private func setUpAddresses(_ addresses: TransportSettings.Addresses, _ options: inout OptionWriter) {
        if let overrides = dialer.resolveOverrides { options.setPointer(CURLOPT_RESOLVE, overrides) }
        if let path = addresses.unixSocketPath { options.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = addresses.localInterface { options.set(CURLOPT_INTERFACE, interface) }
        if let family = addresses.family.curlValue { options.set(CURLOPT_IPRESOLVE, family) }
    }

    private func setUpCallbacks(_ options: inout OptionWriter) {
        options.setPointer(CURLOPT_ERRORBUFFER, errorText)
        let connector = Unmanaged.passUnretained(self).toOpaque()
        let dialer = Unmanaged.passUnretained(dialer).toOpaque()
        options.check(ccurl_set_socket_functions(curl, openSocketCallback, connector, closeSocketCallback, dialer))
        guard proxy != nil else { return }
        options.setPointer(CURLOPT_XFERINFODATA, connector)
        options.check(ccurl_set_xferinfo_function(curl, xferInfoCallback))
        options.set(CURLOPT_NOPROGRESS, 0)
    }
}

// MARK: Callbacks

private func connector(_ context: UnsafeMutableRawPointer) -> CurlConnector {
    Unmanaged<CurlConnector>.fromOpaque(context).takeUnretainedValue()
}

/// CURLOPT_OPENSOCKETFUNCTION: the one place that the real address of every connection passes through.
private let openSocketCallback: ccurl_opensocket_callback = { context, _, address in
    let connector = connector(context)
    guard connector.resources.environment.settings.addresses.allows(address) else {
        connector.socketError = .denied
        return CURL_SOCKET_BAD
    }
    let socket = ccurl_open_socket(address, Int32(connector.resources.environment.settings.connections.dscp ?? -1))
    guard socket >= 0 else {
        if connector.socketError == nil { connector.socketError = .failed(-socket) }
        return CURL_SOCKET_BAD
    }
    // The end of an earlier socket with this number may not have been reported.
    connector.resources.poll.close(socket)
    return socket
}

/// CURLOPT_XFERINFOFUNCTION: called after each step of a connection through a proxy.
private let xferInfoCallback: ccurl_xferinfo_callback = { context, _, _, _, _ in
    connector(context).countStep() ? 0 : 1
}

/// CURLOPT_CLOSESOCKETFUNCTION: the context outlives every connection.
private let closeSocketCallback: ccurl_closesocket_callback = { context, socket in
    let dialer = Unmanaged<CurlDialer>.fromOpaque(context).takeUnretainedValue()
    // libcurl has opened the connection, and leaves it to us.
    if dialer.poll.table.isAdopted(socket) { return 0 }
    dialer.poll.close(socket)
    ccurl_close(socket)
    return 0
}
