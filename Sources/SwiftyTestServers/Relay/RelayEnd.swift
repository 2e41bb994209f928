// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One end of a ``Relay``: a socket that does not block, with or without TLS.
protocol RelayEnd {
    var socket: StreamSocket { get }

    /// Reads the available bytes, up to a limit above zero.
    mutating func read(atMost limit: Int) -> RelayRead

    /// Writes as much as there is room for.
    ///
    /// - Returns: The number of bytes, which may be zero; `nil` if the peer has left.
    mutating func write(_ bytes: ArraySlice<UInt8>) -> Int?

    /// Tells the peer that nothing follows.
    mutating func finishWriting()
}

/// The result of reading from an end of a relay.
enum RelayRead: Equatable {
    case bytes([UInt8])
    case nothingYet
    /// The peer has finished writing.
    case end
    /// The connection was reset, or broke the protocol.
    case failed
}

/// An end without TLS.
struct PlainEnd: RelayEnd {
    let socket: StreamSocket

    func read(atMost limit: Int) -> RelayRead { socket.receiveNow(limit: limit) }

    func write(_ bytes: ArraySlice<UInt8>) -> Int? { socket.sendNow(bytes) }

    func finishWriting() { socket.shutDownSending() }
}
