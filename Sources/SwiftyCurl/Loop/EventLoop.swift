// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// Runs all transfers of one multi handle. Made and freed on its thread, and used by who has the ``LoopSeat``: nobody else
/// touches libcurl's handles.
///
/// What is used with every line of a response is not checked for exclusive access at run time, here, in `EasyHandle` and
/// in `Transfer`: that costs more than many an access. One thread at a time has all of it, and leaves libcurl, whose
/// callbacks come back here, out of every access.
final class EventLoop {
    let configuration: CurlTransport.Configuration
    let resolveOverrides: UnsafeMutablePointer<curl_slist>?
    /// The time at the beginning of the turn, in monotonic nanoseconds.
    @exclusivity(unchecked) var now = ccurl_now()

    // Safety: lives exactly as long as the loop.
    let multi: UnsafeMutableRawPointer

    @exclusivity(unchecked) var poll: SocketPoll
    /// When libcurl wants to be called, whatever happens: a deadline, not a pause that starts anew with each turn.
    @exclusivity(unchecked) var curlDeadline = Int64.max
    /// No deadline of a transfer is before this point; it may be later.
    @exclusivity(unchecked) var nextDeadline = Int64.max
    @exclusivity(unchecked) var active: [Transfer] = []
    @exclusivity(unchecked) var finished: [Transfer] = []
    /// Transfers with a complete response and a request that may not be completely sent.
    @exclusivity(unchecked) var answered: [Transfer] = []
    @exclusivity(unchecked) var idleHandles: [EasyHandle] = []
    /// What servers showed on the connections of these sockets, if somebody wants to know.
    var certificates: [Int32: [ServerCertificate]] = [:]

    let mailbox: Mailbox
    var commands: [LoopCommand] = []
    var isEnding = false
    /// When there were commands last.
    var lastCommandTime = Int64.min / 2
    /// When the loop's thread wakes up by itself.
    var wakeTime = Int64.max

    /// Returns nil if the process is out of memory or descriptors.
    init?(configuration: CurlTransport.Configuration, mailbox: Mailbox) {
        guard let multi = curl_multi_init() else { return nil }
        guard let poll = SocketPoll(multi: multi) else {
            curl_multi_cleanup(multi)
            return nil
        }
        self.configuration = configuration
        self.mailbox = mailbox
        self.multi = multi
        self.poll = poll
        resolveOverrides = configuration.settings.addresses.resolveList()
        setUp()
        mailbox.open(poll.waker)
    }

    deinit {
        idleHandles.removeAll()
        poll.waker.invalidate()
        // Closes the connections, which still calls back into this object.
        curl_multi_cleanup(multi)
        curl_slist_free_all(resolveOverrides)
    }
}
