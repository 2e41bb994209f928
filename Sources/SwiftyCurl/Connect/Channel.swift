// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The bytes of a connection: its socket, or TLS on it.
///
/// A socket without TLS is used directly. TLS belongs to libcurl, whose easy handle lives as long as the connection.
struct Channel {
    /// The result of sending or receiving.
    enum Result {
        /// This many bytes were moved.
        case bytes(Int)
        /// The call would have to wait.
        case wouldBlock
        /// The peer has ended its side of the connection.
        case end
        case failed(Failure)
    }

    /// The reason why a connection has failed.
    enum Failure {
        /// The error number of a system call.
        case system(Int32)
        /// libcurl's text, and the alert that the server has sent.
        case tls(String, TLSAlert?)
        /// TLS has processed messages of its own for too long.
        case tlsFlood
    }

    /// The number of bytes of content in the largest record of TLS (RFC 8446 §5.1).
    private static let fullRecord = 16 << 10

    let socket: Int32
    /// The owner of the handle that carries TLS; `nil` without TLS.
    let tls: Connector?

    /// Sends as many bytes of both parts as the connection takes immediately.
    func send(
        _ head: UnsafeRawBufferPointer,
        _ content: UnsafeRawBufferPointer,
        by scratch: UnsafeMutableRawBufferPointer
    ) -> Result {
        guard let tls else {
            let count = ccurl_send(socket, head.baseAddress, head.count, content.baseAddress, content.count)
            return Self.result(count)
        }
        if head.isEmpty { return tls.send(content) }
        // One record for a small request.
        scratch.copyMemory(from: UnsafeRawBufferPointer(rebasing: head.prefix(scratch.count)))
        let room = UnsafeMutableRawBufferPointer(rebasing: scratch.dropFirst(head.count))
        let part = UnsafeRawBufferPointer(rebasing: content.prefix(room.count))
        if !part.isEmpty { room.copyMemory(from: part) }
        let length = min(head.count, scratch.count) + part.count
        return tls.send(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[..<length]))
    }

    /// Receives what has arrived, as far as there is room in the buffer.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        guard let start = buffer.baseAddress, buffer.count > 0 else { return .wouldBlock }
        if let tls { return tls.receive(into: buffer) }
        let count = ccurl_receive(socket, start, buffer.count)
        return count == 0 ? .end : Self.result(count)
    }

    /// Whether more can have arrived than was received, without a new event of the socket: behind a full record of TLS,
    /// another one is likely.
    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool {
        guard let tls else { return count == capacity }
        return count >= Self.fullRecord || tls.mayHoldBytes
    }

    /// Whether TLS is known to hold bytes that were not read, such as a part of a record.
    var holdsBytes: Bool { tls?.ssl.map { ccurl_ssl_has_unread($0) } ?? false }

    /// Whether the peer has announced the end of its bytes, which only TLS can prove.
    var isEndAuthenticated: Bool {
        tls.flatMap { ccurl_get_ssl($0.curl) }.map { ccurl_ssl_received_close_notify($0) } ?? false
    }

    /// Closes the connection, whose socket is one of these.
    func close(_ sockets: inout SocketPoll) {
        if let tls { return tls.cancel() }
        sockets.close(socket)
        ccurl_close(socket)
    }

    private static func result(_ count: Int64) -> Result {
        if count >= 0 { return .bytes(Int(count)) }
        return ccurl_would_block(count) ? .wouldBlock : .failed(.system(Int32(clamping: -count)))
    }
}

extension Connector {
    fileprivate func send(_ bytes: UnsafeRawBufferPointer) -> Channel.Result {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return .bytes(0) }
        var count = 0
        let code = curl_easy_send(curl, start, bytes.count, &count)
        if code == CURLE_OK { return .bytes(count) }
        return code == CURLE_AGAIN ? .wouldBlock : .failed(failure(code))
    }

    fileprivate func receive(into buffer: UnsafeMutableRawBufferPointer) -> Channel.Result {
        guard let start = buffer.baseAddress else { return .wouldBlock }
        var count = 0
        errorText.pointee = 0
        protocols.pointee.reading.allow(exhaustedCount == 0 ? Self.largestRecord : 2 << 10)
        let code = curl_easy_recv(curl, start, buffer.count, &count)
        if code == CURLE_OK {
            exhaustedCount = 0
            return count == 0 ? .end : .bytes(count)
        }
        guard code == CURLE_AGAIN else { return .failed(failure(code)) }
        return noteBarrenCall() ? .wouldBlock : .failed(.tlsFlood)
    }

    /// TLS has nothing to give. Returns `false` if that is so because its own messages never end.
    private func noteBarrenCall() -> Bool {
        guard protocols.pointee.reading.is_exhausted else { return true }
        if exhaustedCount == 0, let ssl { ccurl_ssl_stop_reading_ahead(ssl) }
        exhaustedCount += 1
        return exhaustedCount <= Self.exhaustedLimit
    }

    private func failure(_ code: CURLcode) -> Channel.Failure {
        let text = String(cString: errorText)
        return .tls(text.isEmpty ? alert?.text ?? String(cString: curl_easy_strerror(code)) : text, alert)
    }

    /// The number of bytes of the largest record with its header, so that a record of content is not cut.
    private static let largestRecord: Int64 = 5 + (16 << 10) + 256
    /// The number of calls in sequence that may yield nothing but messages of TLS: about 400 KiB.
    private static let exhaustedLimit = 200

    /// Whether TLS holds, or may hold, bytes that were not read and that the socket does not show.
    fileprivate var mayHoldBytes: Bool { ssl.map { ccurl_ssl_has_unread($0) } ?? true }
}

extension ccurl_reading {
    /// Allows the next call this many bytes.
    fileprivate mutating func allow(_ count: Int64) {
        allowance = count
        is_exhausted = false
    }
}

extension TransferFailure {
    /// The failure of a transfer whose connection has failed.
    init(_ failure: Channel.Failure, stage: SwiftyError.Stage, sent: SwiftyError.SentState) {
        switch failure {
        case .system(let number):
            self.init(code: .connectionLost, stage: stage, sent: sent, reason: Self.systemErrorText(number))
        case .tls(let text, let alert):
            let isRefused = Self.isRefusalOfIdentity(alert, text)
            let code = isRefused ? SwiftyError.Code.clientCertificateRefused : .connectionLost
            self.init(code: code, stage: isRefused ? .tls : stage, sent: sent, reason: text)
            explainTLS(host: "", pins: nil, certificates: [], identity: nil)
        case .tlsFlood:
            let reason = "the server sent too many messages of TLS without content"
            self.init(code: .malformedResponse, stage: stage, sent: sent, reason: reason)
        }
    }
}
