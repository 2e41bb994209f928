// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The resources that the connections of one loop share: the sockets, what makes connections, the clock of the turn,
/// and two buffers. Made, used and freed on the loop's thread.
///
/// Properties that are used with every received piece, here and in connections, codecs and transfers, are exempt from
/// dynamic exclusivity checks, which would cost more than the accesses. All of them are confined to the loop's thread,
/// and no access spans a call that could reach the property again.
final class LoopResources {
    let environment: CurlEnvironment
    let poll: SocketPoll
    let dialer: any Dialer
    @exclusivity(unchecked) private var state = State()
    @exclusivity(unchecked) var waits: WaitRecord

    private struct State {
        var now = ccurl_now()
        var nextDeadline = Int64.max
    }

    /// The time at the beginning of the turn, in monotonic nanoseconds.
    var now: Int64 { state.now }
    /// A lower bound of all deadlines of transfers and connections.
    var nextDeadline: Int64 { state.nextDeadline }

    // Safety: both freed with this object, after the connections. The parts of a request are joined in the second one.
    // Page-aligned, because on some processors the kernel copies to other addresses at a third of the speed.
    private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 4 << 10)
    let sendBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 4 << 10)

    init(environment: CurlEnvironment, _ poll: SocketPoll, _ dialer: any Dialer, waits: WaitRecord = WaitRecord()) {
        self.waits = waits
        self.environment = environment
        self.poll = poll
        self.dialer = dialer
    }

    deinit {
        receiveBuffer.deallocate()
        sendBuffer.deallocate()
    }

    /// The buffer for received bytes, or its beginning. All connections share it; each uses it for one call only.
    func receiveBuffer(limit: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: receiveBuffer[..<min(limit, receiveBuffer.count)])
    }

    func readClock() {
        state.now = ccurl_now()
    }

    /// Whether a socket has nothing to read, as far as the last wait tells; see ``WaitRecord``.
    func isSilent(unknownSince count: Int) -> Bool { waits.isSilent(unknownSince: count, at: ccurl_now()) }

    /// Has the loop check its deadlines at this time, or earlier.
    func watch(_ deadline: Int64) {
        state.nextDeadline = min(nextDeadline, deadline)
    }

    /// Forgets the deadlines: the loop is about to check all of them.
    func forgetDeadlines() {
        state.nextDeadline = .max
    }
}
