// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

extension EventLoop {
    /// Connects libcurl's callbacks with this object.
    func setUp() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_interest_function(multi, interestChanged, context)
        ccurl_multi_set_timer_function(multi, timerChanged, context)
        ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, configuration.maximumIdleConnections))
        ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, max(1, configuration.maximumConcurrentStreams))
    }

    fileprivate func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: curlDeadline = .max
        case 0: curlDeadline = 0
        default: curlDeadline = ccurl_now() &+ Int64(min(milliseconds, Int(Int32.max))) &* 1_000_000
        }
    }
}

private func loop(_ context: UnsafeMutableRawPointer) -> EventLoop {
    Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
}

private let interestChanged: ccurl_interest_function = { _, socket, what, context, _ in
    loop(context).poll.setInterest(what, in: socket)
    return 0
}

private let timerChanged: ccurl_timer_function = { _, milliseconds, context in
    loop(context).setTimer(milliseconds: milliseconds)
    return 0
}

/// The context is the loop, which outlives every connection.
let socketIsDone: ccurl_close_socket_function = { context, socket in
    loop(context).forget(socket)
    ccurl_close(socket)
    return 0
}
