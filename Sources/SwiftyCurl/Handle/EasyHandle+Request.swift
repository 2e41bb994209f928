// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

// `CURL_RTSPREQ_OPTIONS`, the default of a handle, and `CURL_RTSPREQ_RECEIVE`.
private let curlRTSPOptions = 1
private let curlRTSPReceive = 11

extension EasyHandle {
    /// Sets the options in which this transfer differs from the previous one.
    func prepare(for transfer: Transfer) -> CURLcode {
        guard renew(for: transfer.request) else { return CURLE_OUT_OF_MEMORY }
        self.transfer = transfer
        errorText.pointee = 0
        socketError = nil
        connectCount = 0
        stepCount = 0
        let request = transfer.request
        var options = OptionWriter(curl)
        apply(transfer.target, to: &options)
        options.set(CURLOPT_HTTPHEADER, list: transfer.fields.first)
        apply(method: request.method, content: transfer.content, to: &options)
        apply(isSecure: transfer.target.scheme == .https, to: &options)
        applyRemarks(for: transfer, to: &options)
        applyRepetition(isAllowed: request.isIdempotent)
        apply(request.timeouts, to: &options)
        guard request.connectsTo == nil || transfer.route != nil else { return CURLE_OUT_OF_MEMORY }
        applyConnection(of: transfer, to: &options)
        apply(transfer.hostRules, to: &options)
        apply(transfer.proxy, to: &options)
        applyReport(of: transfer, to: &options)
        allowReuse()
        return options.result
    }

    /// Sets the text of the URL as well, because some versions of libcurl would keep the text of the first one.
    private func apply(_ target: TargetURI, to options: inout OptionWriter) {
        if url.leads(to: target) { return }
        let text = target.string
        options.check(url.set(target, text: text))
        options.set(CURLOPT_URL, text)
    }

    /// Sets whether a connection may be reused, and where a new one leads.
    private func applyConnection(of transfer: Transfer, to options: inout OptionWriter) {
        if applied.requiresNewConnection != transfer.requiresNewConnection {
            applied.requiresNewConnection = transfer.requiresNewConnection
            options.set(CURLOPT_FRESH_CONNECT, applied.requiresNewConnection ? 1 : 0)
        }
        let route = transfer.route
        if applied.isRerouted || route != nil {
            applied.isRerouted = route != nil
            options.set(CURLOPT_CONNECT_TO, list: route)
        }
    }

    /// Turns on progress callbacks, for an event handler or to stop a proxy that never ends its response.
    private func applyReport(of transfer: Transfer, to options: inout OptionWriter) {
        let isReported = transfer.report != nil || transfer.proxy != nil
        guard applied.isReported != isReported else { return }
        applied.isReported = isReported
        options.set(CURLOPT_NOPROGRESS, isReported ? 0 : 1)
    }

    private func apply(method: HTTPRequest.Method, content: RequestContent, to options: inout OptionWriter) {
        if applied.isHead, method != .head { options.set(CURLOPT_NOBODY, 0) }
        applied.isHead = method == .head
        apply(content, to: &options)
        if method == .head { options.set(CURLOPT_NOBODY, 1) }
        let native: HTTPRequest.Method = method == .head ? .head : content.isPresent ? .post : .get
        let custom = method == native ? nil : method.rawValue
        if applied.method != custom {
            applied.method = custom
            options.set(CURLOPT_CUSTOMREQUEST, custom)
        }
    }

    private func apply(_ content: RequestContent, to options: inout OptionWriter) {
        switch content {
        case .absent:
            // Releases the copy that an earlier request left in the handle.
            if applied.hasContent { options.setPointer(CURLOPT_POSTFIELDS, nil) }
            options.set(CURLOPT_HTTPGET, 1)
        case .copied(let data):
            options.set(CURLOPT_POST, 1)
            options.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: data.count)
            copy(data, to: &options)
        case .streamed(let data):
            options.set(CURLOPT_POST, 1)
            options.setPointer(CURLOPT_POSTFIELDS, nil)
            options.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: data.count)
        }
        applied.hasContent = content.isPresent
    }

    private func copy(_ data: Data, to options: inout OptionWriter) {
        guard !data.isEmpty else { return options.setPointer(CURLOPT_COPYPOSTFIELDS, errorText) }
        data.withUnsafeBytes { bytes in
            options.setPointer(CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
        }
    }

    /// Turns on libcurl's debug text where the fate of an HTTP/2 stream matters: no API reports it.
    private func applyRemarks(for transfer: Transfer, to options: inout OptionWriter) {
        stream = StreamRemarks()
        let needsStreamText = mayBeHTTP2(transfer) && !transfer.request.isIdempotent
        guard applied.needsStreamText != needsStreamText else { return }
        applied.needsStreamText = needsStreamText
        options.check(applyVerbosity())
    }

    /// Whether the transfer's connection may speak HTTP/2.
    func mayBeHTTP2(_ transfer: Transfer) -> Bool {
        transfer.target.scheme == .https && loop.environment.settings.connections.version != .http1_1
    }

    /// libcurl repeats a request when a reused connection fails, except an RTSP request of type RECEIVE. It reads this
    /// option with HTTP, too, and then repeats refused streams only, and says so.
    ///
    /// A libcurl built without RTSP lacks the option: there, a request that must not be repeated is not repeated
    /// either, but also fails if its stream was refused.
    private func applyRepetition(isAllowed: Bool) {
        guard applied.isRepetitionAllowed != isAllowed else { return }
        applied.isRepetitionAllowed = isAllowed
        ccurl_set_long(curl, CURLOPT_RTSP_REQUEST, isAllowed ? curlRTSPOptions : curlRTSPReceive)
    }

    /// Only ALPN in TLS can show that a server speaks HTTP/2. A cleartext request for it would wait for the first
    /// response on the host's first connection to learn whether it may share that connection.
    private func apply(isSecure: Bool, to options: inout OptionWriter) {
        guard applied.isSecure != isSecure else { return }
        applied.isSecure = isSecure
        let isShared = isSecure && loop.environment.settings.connections.version != .http1_1
        options.set(CURLOPT_HTTP_VERSION, isShared ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
        options.set(CURLOPT_PIPEWAIT, isShared ? 1 : 0)
    }

    /// The loop enforces the limits; see ``TransferDeadlines``. libcurl is given the connection limit because it
    /// divides it among the addresses of a host, with a margin so that the loop's limit applies first.
    private func apply(_ timeouts: NetworkRequest.Timeouts, to options: inout OptionWriter) {
        guard applied.connectTimeout != .some(timeouts.connect) else { return }
        applied.connectTimeout = .some(timeouts.connect)
        let limit = timeouts.connect.map { $0 + .milliseconds(500) }
        // Without a limit of ours, libcurl would apply its own of five minutes.
        options.set(CURLOPT_CONNECTTIMEOUT_MS, limit?.millisecondsForCurl ?? Int(Int32.max))
    }
}
