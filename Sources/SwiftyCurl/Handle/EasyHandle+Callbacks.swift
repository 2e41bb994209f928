// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// The functions that libcurl calls while the loop is inside a call of libcurl. The context is the easy handle, which
// lives as long as libcurl uses it; an unretained reference is enough.

/// Returned to abort the transfer: it differs from the number of bytes offered, which is never this large.
private let stop = Int.max

let headerCallback: ccurl_data_callback = { bytes, size, count, context in
    withTransfer(context) { transfer, loop in
        let length = size &* count
        let line = UnsafeBufferPointer(
            start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self),
            count: length
        )
        transfer.deadlines.received(at: loop.now)
        if transfer.state.expectsContinue { loop.noteIfUploading(transfer) }
        guard transfer.state.receiveHeadLine(line) == .proceed else { return stop }
        if HeadCollector.endsHead(line) { loop.receiveHeadEnd(for: transfer) }
        return length
    }
}

let writeCallback: ccurl_data_callback = { bytes, size, count, context in
    withTransfer(context) { transfer, loop in
        let length = size &* count
        transfer.deadlines.received(at: loop.now)
        guard transfer.receiveContent(UnsafeRawBufferPointer(start: bytes, count: length)) else { return stop }
        if transfer.state.forbidsReuse { loop.forbidReuse(by: transfer) }
        transfer.report?.report(received: transfer.state.bodyByteCount, at: loop.now)
        loop.noteIfRespondedEarly(transfer)
        return length
    }
}

let readCallback: ccurl_data_callback = { bytes, size, count, context in
    withTransfer(context) { transfer, loop in
        transfer.deadlines.sent(at: loop.now)
        return transfer.readContent(into: UnsafeMutableRawBufferPointer(start: bytes, count: size &* count))
    }
}

let seekCallback: ccurl_seek_callback = { context, offset, origin in
    let result = withTransfer(context) { transfer, _ in
        transfer.rewindContent(to: Int64(offset), origin: origin) ? Int(CURL_SEEKFUNC_OK) : Int(CURL_SEEKFUNC_FAIL)
    }
    return Int32(truncatingIfNeeded: result)
}

let prereqCallback: ccurl_prereq_callback = { context, remoteAddress, localAddress, remotePort, localPort in
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard let transfer = handle.transfer else { return Int32(CURL_PREREQFUNC_ABORT) }
    let connection = handle.examineConnection(
        of: transfer,
        at: ConnectionAddress(
            local: localAddress,
            localPort: localPort,
            remote: remoteAddress,
            remotePort: remotePort
        )
    )
    handle.loop.releaseSockets(of: transfer)
    transfer.sockets = connection.sockets
    var isStale = handle.isStale(connection)
    if handle.applied.readsCertificates {
        switch handle.examineCertificates(of: transfer, isNew: connection.isNew) {
        case .proceed: break
        case .abort: return Int32(CURL_PREREQFUNC_ABORT)
        case .unknown: isStale = true
        }
    }
    let wasNotProcessed = handle.wasNotProcessed
    handle.stream.restart()
    handle.requireVersion(of: connection, for: transfer)
    let action = transfer.state.willSendRequest(
        isStale: isStale,
        wasNotProcessed: wasNotProcessed,
        version: connection.version
    )
    guard action == .proceed else { return Int32(CURL_PREREQFUNC_ABORT) }
    handle.loop.occupySocket(of: transfer, connection.version)
    transfer.restart()
    handle.loop.startDeadlines(of: transfer)
    transfer.report?.reportConnection(handle.timings, isReused: !connection.isNew, at: handle.loop.now)
    return Int32(CURL_PREREQFUNC_OK)
}

/// CURLOPT_DEBUGFUNCTION: enabled only for requests whose HTTP/2 stream must be followed, and for responses behind
/// which libcurl reports excess bytes in its debug text only.
let debugCallback: ccurl_debug_callback = { _, type, bytes, size, context in
    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
        if type == CURLINFO_TEXT { handle.receiveDebugText(UnsafeRawBufferPointer(start: bytes, count: size)) }
        return 0
    }
}

/// CURLOPT_XFERINFOFUNCTION: enabled only for transfers with a report, through a proxy, or whose end must be proven.
/// Called after each step that libcurl makes with them.
let xferInfoCallback: ccurl_xferinfo_callback = { context, _, _, _, sent in
    let result = withTransfer(context) { transfer, loop in
        if transfer.proxy != nil, loop.endIfProxyIsEndless(transfer) { return stop }
        if transfer.state.connectionPolicy.needsProofOfEnd, let handle = loop.handle(of: transfer),
            ccurl_received_close_notify(handle.curl)
        {
            transfer.state.receiveCloseNotify()
        }
        transfer.report?.report(sent: Int(clamping: sent), of: transfer.content.count, at: loop.now)
        return 0
    }
    return result == stop ? 1 : 0
}

extension EasyHandle {
    fileprivate func receiveDebugText(_ text: UnsafeRawBufferPointer) {
        if applied.needsStreamText { note(text.bindMemory(to: UInt8.self)) }
        guard applied.needsExcessText, let start = text.baseAddress, ccurl_reports_excess(start, text.count) else {
            return
        }
        transfer?.state.receiveExcess()
        forbidReuse()
    }
}

private func withTransfer(_ context: UnsafeMutableRawPointer, _ body: (Transfer, EventLoop) -> Int) -> Int {
    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
        guard let transfer = handle.transfer else { return stop }
        return body(transfer, handle.loop)
    }
}

/// CURLOPT_OPENSOCKETFUNCTION: the one place that the real address of every connection passes through.
let openSocketCallback: ccurl_opensocket_callback = { context, _, address in
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard handle.loop.environment.settings.addresses.allows(address) else {
        handle.socketError = .denied
        return CURL_SOCKET_BAD
    }
    let socket = ccurl_open_socket(address)
    guard socket >= 0 else {
        if handle.socketError == nil { handle.socketError = .failed(-socket) }
        return CURL_SOCKET_BAD
    }
    handle.loop.poll.table.opened(socket)
    if !handle.loop.certificates.isEmpty { handle.loop.certificates[socket] = nil }
    return socket
}

extension TransportSettings.Addresses {
    /// Whether the settings allow a connection to the address.
    ///
    /// Anything other than an internet address, such as a socket of the file system, is not public.
    func allows(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard deniesPrivateNetworks else { return true }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
            guard let base = bytes.baseAddress else { return false }
            let count = Int(ccurl_address_bytes(address, base))
            return NetworkAddress(UnsafeBufferPointer(start: base, count: count))?.isPublic ?? false
        }
    }
}

/// CURLOPT_CLOSESOCKETFUNCTION: the context is the loop, which outlives every connection.
let closeSocketCallback: ccurl_closesocket_callback = { context, socket in
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    // libcurl has opened the connection, and leaves it to us.
    if loop.poll.isAdopted(socket) { return 0 }
    loop.forget(socket)
    ccurl_close(socket)
    return 0
}
