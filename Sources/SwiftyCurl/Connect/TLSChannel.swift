// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A socket with TLS, which belongs to libcurl: the easy handle lives as long as the connection.
final class TLSChannel: Channel {
    /// The number of bytes of content in the largest TLS record (RFC 8446 §5.1).
    private static let fullRecord = 16 << 10

    let socket: Int32
    /// The owner of the handle.
    let connector: CurlConnector
    var isSecure: Bool { true }

    init(socket: Int32, connector: CurlConnector) {
        self.socket = socket
        self.connector = connector
    }

    func send(
        _ head: UnsafeRawBufferPointer,
        _ content: UnsafeRawBufferPointer,
        by scratch: UnsafeMutableRawBufferPointer
    ) -> ChannelResult {
        if head.isEmpty { return connector.send(content) }
        // One record for a small request.
        scratch.copyMemory(from: UnsafeRawBufferPointer(rebasing: head.prefix(scratch.count)))
        let room = UnsafeMutableRawBufferPointer(rebasing: scratch.dropFirst(head.count))
        let part = UnsafeRawBufferPointer(rebasing: content.prefix(room.count))
        if !part.isEmpty { room.copyMemory(from: part) }
        let length = min(head.count, scratch.count) + part.count
        return connector.send(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[..<length]))
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        buffer.isEmpty ? .wouldBlock : connector.receive(into: buffer)
    }

    var isReadable: Bool { ccurl_socket_is_readable(socket) }

    /// After a full TLS record, another one is likely. What a library other than OpenSSL holds is unknown.
    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool {
        count >= Self.fullRecord || connector.ssl.map { ccurl_ssl_has_unread($0) } ?? true
    }

    func mayLeaveBytes(afterReceiving count: Int, of capacity: Int) -> Bool {
        !connector.protocols.pointee.reading.is_drained
    }

    var holdsBytes: Bool { connector.ssl.map { ccurl_ssl_has_unread($0) } ?? false }

    var isEndAuthenticated: Bool {
        ccurl_get_ssl(connector.curl).map { ccurl_ssl_received_close_notify($0) } ?? false
    }

    func close(_ sockets: SocketPoll) {
        connector.cancel()
    }
}

extension CurlConnector {
    fileprivate func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return .bytes(0) }
        var count = 0
        let code = curl_easy_send(curl, start, bytes.count, &count)
        if code == CURLE_OK { return .bytes(count) }
        return code == CURLE_AGAIN ? .wouldBlock : .failed(failure(code))
    }

    fileprivate func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        guard let start = buffer.baseAddress else { return .wouldBlock }
        var count = 0
        errorText.pointee = 0
        protocols.pointee.reading.allowance = exhaustedCount == 0 ? Self.largestRecord : 2 << 10
        protocols.pointee.reading.is_exhausted = false
        // What TLS has held back until now says nothing of the socket.
        protocols.pointee.reading.is_drained = false
        let code = curl_easy_recv(curl, start, buffer.count, &count)
        if code == CURLE_OK {
            exhaustedCount = 0
            return count == 0 ? .end : .bytes(count)
        }
        guard code == CURLE_AGAIN else { return .failed(failure(code)) }
        return noteBarrenCall() ? .wouldBlock : .failed(.tlsFlood)
    }

    /// Records a read without application data; `false` once there were too many in a row.
    private func noteBarrenCall() -> Bool {
        guard protocols.pointee.reading.is_exhausted else { return true }
        if exhaustedCount == 0, let ssl { ccurl_ssl_stop_reading_ahead(ssl) }
        exhaustedCount += 1
        return exhaustedCount <= Self.exhaustedLimit
    }

    private func failure(_ code: CURLcode) -> ChannelFailure {
        let text = String(cString: errorText)
        return .tls(text.isEmpty ? alert?.text ?? String(cString: curl_easy_strerror(code)) : text, alert)
    }

    /// The number of bytes of the largest record with its header, so that a record of content is not cut.
    private static let largestRecord: Int64 = 5 + (16 << 10) + 256
    /// The number of consecutive calls that may yield nothing but TLS messages: about 400 KiB.
    private static let exhaustedLimit = 200
}
