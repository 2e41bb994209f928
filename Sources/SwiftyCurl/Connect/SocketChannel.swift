// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A socket without TLS.
final class SocketChannel: Channel {
    let socket: Int32
    var isSecure: Bool { false }

    init(socket: Int32) {
        self.socket = socket
    }

    func send(
        _ head: UnsafeRawBufferPointer,
        _ content: UnsafeRawBufferPointer,
        by scratch: UnsafeMutableRawBufferPointer
    ) -> ChannelResult {
        Self.result(ccurl_send(socket, head.baseAddress, head.count, content.baseAddress, content.count))
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        guard let start = buffer.baseAddress, buffer.count > 0 else { return .wouldBlock }
        let count = ccurl_receive(socket, start, buffer.count)
        return count == 0 ? .end : Self.result(count)
    }

    var isReadable: Bool { ccurl_socket_is_readable(socket) }

    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool { count == capacity }

    func mayLeaveBytes(afterReceiving count: Int, of capacity: Int) -> Bool { count == capacity }

    var holdsBytes: Bool { false }

    var isEndAuthenticated: Bool { false }

    func close(_ sockets: SocketPoll) {
        sockets.close(socket)
        ccurl_close(socket)
    }

    private static func result(_ count: Int64) -> ChannelResult {
        if count >= 0 { return .bytes(Int(count)) }
        return ccurl_would_block(count) ? .wouldBlock : .failed(.system(Int32(clamping: -count)))
    }
}
