// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// libcurl's requests to watch sockets and the clock while it makes connections, and the results.

extension LoopResources {
    /// Sets the callbacks of the multi handle. Returns `false` if libcurl rejects one.
    func setCallbacks() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_multi_set_socket_function(multi, socketCallback, context) == CURLM_OK
            && ccurl_multi_set_timer_function(multi, timerCallback, context) == CURLM_OK
    }

    /// Tells libcurl of an event on one of its sockets. Returns `false` if it is out of memory: libcurl does not report
    /// which connections it has lost.
    func act(on socket: curl_socket_t, events: Int32) -> Bool {
        var running: Int32 = 0
        return curl_multi_socket_action(multi, socket, events, &running) == CURLM_OK
    }

    /// Runs libcurl's timer if it is due. Returns `false` if libcurl is out of memory.
    func runTimer() -> Bool {
        guard curlDeadline <= now else { return true }
        curlDeadline = .max
        return act(on: CURL_SOCKET_TIMEOUT, events: 0)
    }

    /// The time between two looks at all attempts, in nanoseconds.
    static let checkInterval: Int64 = 100_000_000

    /// Has libcurl look at all attempts to connect now and then. When an address refuses, or is silent for too long,
    /// libcurl 7.88 turns to the next one without a socket or a timer, and would not be called again.
    ///
    /// - Returns: `false` if libcurl is out of memory.
    func checkAttempts() -> Bool {
        guard checkDeadline <= now else { return true }
        checkDeadline = now &+ Self.checkInterval
        return ccurl_multi_check_all(multi) == CURLM_OK
    }

    /// The end of an attempt to connect.
    enum Ended {
        /// libcurl has ended it with this code.
        case byCurl(UnsafeMutableRawPointer, CURLcode)
        /// The system cannot watch its socket.
        case unwatched(UnsafeMutableRawPointer)
    }

    /// Takes the end of an attempt to connect; `nil` after the last one.
    func takeEnded() -> Ended? {
        var curl: UnsafeMutableRawPointer?
        var code = CURLE_OK
        if ccurl_multi_next_finished(multi, &curl, &code), let curl { return .byCurl(curl, code) }
        return unwatched.isEmpty ? nil : .unwatched(unwatched.removeLast())
    }

    fileprivate func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: curlDeadline = .max
        case 0: curlDeadline = 0
        default: curlDeadline = ccurl_now() &+ Int64(min(milliseconds, Int(Int32.max))) &* 1_000_000
        }
    }

    fileprivate func watch(_ socket: curl_socket_t, _ what: Int32, of curl: UnsafeMutableRawPointer) {
        if !poll.setInterest(what, in: socket) { unwatched.append(curl) }
    }
}

private func resources(_ context: UnsafeMutableRawPointer) -> LoopResources {
    Unmanaged<LoopResources>.fromOpaque(context).takeUnretainedValue()
}

private let socketCallback: ccurl_socket_callback = { curl, socket, what, context, _ in
    resources(context).watch(socket, what, of: curl)
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    resources(context).setTimer(milliseconds: milliseconds)
    return 0
}

extension TransferFailure {
    static let unwatched = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .queue,
        sent: .notSent,
        reason: "the system could not watch the connection: it is out of memory or of descriptors"
    )
}
