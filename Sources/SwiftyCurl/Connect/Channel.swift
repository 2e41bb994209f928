// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The bytes of a connection. Only the loop's thread uses it.
protocol Channel: AnyObject {
    /// The descriptor of the socket, which the loop watches.
    var socket: Int32 { get }
    /// Whether bytes can be authenticated as the peer's: over TLS.
    var isSecure: Bool { get }

    /// Sends as many bytes of both parts as the connection takes immediately.
    ///
    /// - Parameter scratch: Memory in which the parts may be joined.
    func send(
        _ head: UnsafeRawBufferPointer,
        _ content: UnsafeRawBufferPointer,
        by scratch: UnsafeMutableRawBufferPointer
    ) -> ChannelResult
    /// Receives what has arrived, as far as there is room in the buffer.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult
    /// Whether bytes, or the end of the connection, have arrived at the socket.
    var isReadable: Bool { get }
    /// Whether more can have arrived than was received, without a new event of the socket.
    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool
    /// Whether the socket may have had more to read when bytes were received.
    func mayLeaveBytes(afterReceiving count: Int, of capacity: Int) -> Bool
    /// Whether the channel is known to hold unread bytes, such as a part of a TLS record.
    var holdsBytes: Bool { get }
    /// Whether the peer has announced the end of its bytes, which only TLS can prove.
    var isEndAuthenticated: Bool { get }
    /// Closes the connection, and removes its socket from `sockets`.
    func close(_ sockets: SocketPoll)
}

/// The result of sending or receiving.
enum ChannelResult {
    /// This many bytes were moved.
    case bytes(Int)
    /// The call would have to wait.
    case wouldBlock
    /// The peer has ended its side of the connection.
    case end
    case failed(ChannelFailure)
}

/// The reason why a connection has failed.
enum ChannelFailure {
    /// The error number of a system call.
    case system(Int32)
    /// libcurl's text, and the alert that the server has sent.
    case tls(String, TLSAlert?)
    /// TLS has only processed its protocol messages for too long.
    case tlsFlood
}

extension TransferFailure {
    /// The failure of a transfer whose connection has failed.
    init(_ failure: ChannelFailure, stage: SwiftyError.Stage, sent: SwiftyError.SentState) {
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
