// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// Ends the loop's wait from another thread.
protocol Waker: AnyObject, Sendable {
    func wake()
    /// Called before the loop's resources are freed.
    func invalidate()
}

#if os(Linux)
/// Ends the wait through an eventfd.
///
/// Held by the mailbox while the loop runs, and by a sender that is about to use it: the descriptor cannot be closed,
/// and its number reused, between the decision to wake and the wake-up.
final class EventWaker: Waker {
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

    /// Does nothing: the descriptor is closed with its last owner.
    func invalidate() {}
}
#else
/// Ends the wait through libcurl.
///
/// `curl_multi_wakeup` is the one function that may be called from any thread, as long as the multi handle lives, which
/// the lock guarantees.
final class CurlWaker: Waker {
    /// The address of the multi handle; 0 once it is freed.
    private let multi: Mutex<UInt>

    init(multi: UnsafeMutableRawPointer) {
        self.multi = Mutex(UInt(bitPattern: multi))
    }

    func wake() {
        multi.withLock { address in
            if let multi = UnsafeMutableRawPointer(bitPattern: address) { curl_multi_wakeup(multi) }
        }
    }

    func invalidate() {
        multi.withLock { $0 = 0 }
    }
}
#endif
