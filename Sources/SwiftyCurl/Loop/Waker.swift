// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

#if os(Linux)
/// Ends the loop's wait from another thread.
///
/// Held by the mailbox while the loop runs, and by whoever is about to use it: the descriptor cannot be closed, and its
/// number given to something else, between the decision to wake and the wake-up.
final class Waker: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = ccurl_eventfd_create()
        if descriptor < 0 { return nil }
    }

    deinit {
        ccurl_close(descriptor)
    }

    func wake() {
        ccurl_eventfd_signal(descriptor)
    }
}
#else
/// Ends the loop's wait from another thread, through libcurl.
///
/// Safety: `curl_multi_wakeup` is the one function that may be called from any thread. The multi handle is cleaned up by
/// the last owner of the waker, so it outlives every call.
final class Waker: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer

    init?(multi: UnsafeMutableRawPointer) {
        self.multi = multi
    }

    func wake() {
        curl_multi_wakeup(multi)
    }
}
#endif
