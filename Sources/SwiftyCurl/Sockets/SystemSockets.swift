// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

extension SocketPoll {
    /// Waits for the system's sockets. Returns `nil` if the process is out of descriptors.
    static func system(multi: UnsafeMutableRawPointer) -> SocketPoll? {
        #if os(Linux)
        EpollSockets().map { SocketPoll($0) }
        #else
        SocketPoll(CurlSockets(multi: multi))
        #endif
    }
}

#if os(Linux)
/// Waits for sockets with epoll.
private final class EpollSockets: SocketSystem {
    let waker: any Waker
    private let epoll: Int32

    init?() {
        guard let waker = EventWaker() else { return nil }
        self.waker = waker
        epoll = ccurl_epoll_create()
        // All properties are set: `deinit` closes the descriptor.
        guard epoll >= 0, ccurl_epoll_add_waker(epoll, waker.descriptor) == 0 else { return nil }
    }

    deinit {
        ccurl_close(epoll)
    }

    func control(_ socket: Int32, generation: UInt32, _ what: Int32, isKnown: Bool) -> Bool {
        ccurl_epoll_control(epoll, socket, generation, what, isKnown) == 0
    }

    func wait(
        milliseconds: Int32,
        for poll: SocketPoll,
        into events: UnsafeMutableBufferPointer<ccurl_ready>
    ) -> SocketEvents {
        guard let start = events.baseAddress else { return SocketEvents() }
        let count = Int(ccurl_epoll_wait(epoll, start, Int32(clamping: events.count), milliseconds))
        return count < 0 ? SocketEvents() : SocketEvents(count: count, isComplete: count < events.count)
    }
}
#else
/// Waits for sockets with libcurl's own poll, on systems without epoll.
private final class CurlSockets: SocketSystem {
    let waker: any Waker
    private let multi: UnsafeMutableRawPointer

    init(multi: UnsafeMutableRawPointer) {
        self.multi = multi
        waker = CurlWaker(multi: multi)
    }

    func control(_ socket: Int32, generation: UInt32, _ what: Int32, isKnown: Bool) -> Bool { true }

    /// Waits, lets libcurl handle the events of its sockets, and reports those of the others. Events that do not fit
    /// are reported again. libcurl does not tell whether a signal has ended the wait.
    func wait(
        milliseconds: Int32,
        for poll: SocketPoll,
        into events: UnsafeMutableBufferPointer<ccurl_ready>
    ) -> SocketEvents {
        var watched = poll.table.handled.map { socket, what in
            curl_waitfd(fd: socket, events: Int16(what & CURL_POLL_IN) | Int16(what & CURL_POLL_OUT) << 1, revents: 0)
        }
        var count: Int32 = 0
        curl_multi_poll(multi, &watched, UInt32(watched.count), milliseconds < 0 ? .max : milliseconds, &count)
        let ready = watched.filter { $0.revents != 0 }.prefix(events.count)
        for (index, watched) in ready.enumerated() {
            let isWritable = Int32(watched.revents) & CURL_WAIT_POLLOUT != 0
            events[index] = ccurl_ready(
                socket: watched.fd,
                generation: poll.table.generation(of: watched.fd),
                events: CURL_CSELECT_IN | (isWritable ? CURL_CSELECT_OUT : 0)
            )
        }
        curl_multi_perform(multi, &count)
        return SocketEvents(count: ready.count)
    }
}
#endif
