// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The resources that the connections of one loop share: libcurl's handles, the sockets, the clock of the turn, and two
/// buffers. Made, used and freed on the loop's thread.
///
/// Properties that are used with every received piece, here and in connections, codecs and transfers, are exempt from
/// dynamic exclusivity checks, which would cost more than the accesses. All of them are confined to the loop's thread,
/// and no access spans a call that could reach the property again.
final class LoopResources {
    let environment: CurlEnvironment
    private(set) var resolveOverrides: UnsafeMutablePointer<curl_slist>?

    // Safety: both live exactly as long as this object.
    let multi: UnsafeMutableRawPointer
    /// The TLS sessions of all connections. Otherwise each handle would have its own, and each makes one connection.
    let share: UnsafeMutableRawPointer

    @exclusivity(unchecked) var poll: SocketPoll
    @exclusivity(unchecked) private var state = State()

    private struct State {
        var now = ccurl_now()
        var curlDeadline = Int64.max
        var nextDeadline = Int64.max
        var checkDeadline = Int64.max
        var unwatched: [UnsafeMutableRawPointer] = []
    }

    /// The time at the beginning of the turn, in monotonic nanoseconds.
    var now: Int64 { state.now }
    /// The time at which libcurl's timer fires: a deadline, not a pause that restarts with each turn.
    var curlDeadline: Int64 {
        get { state.curlDeadline }
        set { state.curlDeadline = newValue }
    }
    /// The time at which libcurl is to look at all attempts to connect, if there are any.
    var checkDeadline: Int64 {
        get { state.checkDeadline }
        set { state.checkDeadline = newValue }
    }
    /// A lower bound of all deadlines of transfers and connections.
    var nextDeadline: Int64 { state.nextDeadline }
    /// The handles whose sockets the system cannot watch; see ``takeEnded()``.
    var unwatched: [UnsafeMutableRawPointer] {
        get { state.unwatched }
        set { state.unwatched = newValue }
    }

    // Safety: both freed with this object, after the connections. The parts of a request are joined in the second one.
    // At the beginning of a page, because the kernel copies to other places at a third of the speed on some processors.
    private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 4 << 10)
    let sendBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 4 << 10)

    /// Returns `nil` if the process is out of memory or descriptors.
    init?(environment: CurlEnvironment) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = ccurl_share_sessions() else {
            curl_multi_cleanup(multi)
            return nil
        }
        guard let poll = SocketPoll(multi: multi) else {
            curl_multi_cleanup(multi)
            curl_share_cleanup(share)
            return nil
        }
        self.environment = environment
        self.multi = multi
        self.share = share
        self.poll = poll
        // All properties are set: `deinit` frees them.
        guard environment.settings.addresses.writeOverrides(to: &resolveOverrides), setCallbacks() else { return nil }
    }

    deinit {
        poll.waker.invalidate()
        // Closes what is left, which still calls back into this object.
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
        curl_slist_free_all(resolveOverrides)
        receiveBuffer.deallocate()
        sendBuffer.deallocate()
    }

    /// The buffer for received bytes, or the beginning of it. Every connection uses it, for the time of one call.
    func receiveBuffer(limit: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: receiveBuffer[..<min(limit, receiveBuffer.count)])
    }

    func readClock() {
        state.now = ccurl_now()
    }

    /// Has the loop check its deadlines at this time, or earlier.
    func watch(_ deadline: Int64) {
        state.nextDeadline = min(nextDeadline, deadline)
    }

    /// Forgets the deadlines: the loop is about to check all of them.
    func forgetDeadlines() {
        state.nextDeadline = .max
    }
}
