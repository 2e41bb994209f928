// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@testable import SwiftyCurl

/// The client's end of a line.
final class SimulatedChannel: Channel {
    let line: Line
    var socket: Int32 { line.socket }
    var isSecure: Bool { line.isSecure }

    init(line: Line) {
        self.line = line
    }

    func send(
        _ head: UnsafeRawBufferPointer,
        _ content: UnsafeRawBufferPointer,
        by scratch: UnsafeMutableRawBufferPointer
    ) -> ChannelResult {
        line.clientSends(head, content)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        buffer.isEmpty ? .wouldBlock : line.clientReceives(into: buffer)
    }

    var isReadable: Bool { line.isReadable }

    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool {
        isSecure ? line.holdsBytes : count == capacity
    }

    func mayLeaveBytes(afterReceiving count: Int, of capacity: Int) -> Bool { line.isReadable }

    var holdsBytes: Bool { line.holdsBytes }

    var isEndAuthenticated: Bool { line.isEndAuthenticated }

    func close(_ sockets: SocketPoll) {
        line.clientCloses(sockets)
    }
}
