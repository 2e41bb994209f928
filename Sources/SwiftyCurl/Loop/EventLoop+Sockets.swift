// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// libcurl's requests to watch sockets and the clock, while it makes connections.

extension EventLoop {
    /// Sets the options and callbacks of the multi handle. Returns `false` if libcurl rejects one.
    func setUp() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_multi_set_socket_function(multi, socketCallback, context) == CURLM_OK
            && ccurl_multi_set_timer_function(multi, timerCallback, context) == CURLM_OK
    }

    /// Ends a transfer whose socket the system cannot watch, which would wait for ever.
    fileprivate func endUnwatched(_ easy: UnsafeMutableRawPointer) {
        if let owner = connectors[easy]?.owner { cancelLater(owner, with: .unwatched) }
    }

    fileprivate func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: curlDeadline = .max
        case 0: curlDeadline = 0
        default: curlDeadline = ccurl_now() &+ Int64(min(milliseconds, Int(Int32.max))) &* 1_000_000
        }
    }
}

extension TransferFailure {
    static let unwatched = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .queue,
        sent: .notSent,
        reason: "the system could not watch the connection: it is out of memory or of descriptors"
    )
}

private func loop(_ context: UnsafeMutableRawPointer) -> EventLoop {
    Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
}

private let socketCallback: ccurl_socket_callback = { easy, socket, what, context, _ in
    let loop = loop(context)
    if !loop.poll.setInterest(what, in: socket) { loop.endUnwatched(easy) }
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    loop(context).setTimer(milliseconds: milliseconds)
    return 0
}
