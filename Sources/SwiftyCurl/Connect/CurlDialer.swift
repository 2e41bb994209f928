// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// Has libcurl make the connections of a loop: its handles, and its requests to watch sockets and the clock.
final class CurlDialer: Dialer {
    // Safety: both live exactly as long as this object.
    let multi: UnsafeMutableRawPointer
    /// The TLS sessions of all connections. Otherwise each handle would have its own, and each makes one connection.
    let share: UnsafeMutableRawPointer
    let poll: SocketPoll
    private(set) var resolveOverrides: UnsafeMutablePointer<curl_slist>?

    /// The time at which libcurl's timer fires: a deadline, not a pause that restarts with each turn.
    @exclusivity(unchecked) private var timerDeadline = Int64.max
    /// The time at which libcurl is to check all attempts to connect, if there are any.
    @exclusivity(unchecked) private var checkDeadline = Int64.max
    /// The handles whose sockets the system cannot watch.
    @exclusivity(unchecked) private var unwatched: [UnsafeMutableRawPointer] = []
    /// The numbers of the attempts whose handles libcurl has. libcurl could store them itself, but could fail to return
    /// them.
    @exclusivity(unchecked) private var numbers: [UnsafeMutableRawPointer: Int] = [:]

    /// Returns `nil` if the process is out of memory or descriptors.
    init?(_ environment: CurlEnvironment) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = ccurl_share_sessions() else {
            curl_multi_cleanup(multi)
            return nil
        }
        guard let poll = SocketPoll.system(multi: multi) else {
            curl_multi_cleanup(multi)
            curl_share_cleanup(share)
            return nil
        }
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
    }

    func makeConnector(
        for transfer: Transfer,
        number: Int,
        isFirst: Bool,
        _ resources: LoopResources
    ) -> (any Connector)? {
        guard let connector = CurlConnector(for: transfer, number: number, resources, self) else { return nil }
        if isFirst { checkDeadline = resources.now &+ Self.checkInterval }
        return connector
    }

    /// Records the attempt whose handle libcurl now has.
    func note(_ number: Int, of curl: UnsafeMutableRawPointer) {
        numbers[curl] = number
    }

    /// Forgets a handle that is about to be removed from libcurl.
    func forget(_ curl: UnsafeMutableRawPointer) {
        numbers[curl] = nil
        unwatched.removeAll { $0 == curl }
    }
}

// MARK: Events

extension CurlDialer {
    /// Returns `false` if libcurl is out of memory: it does not report which connections it has lost.
    func act(on socket: Int32, events: Int32) -> Bool {
        var running: Int32 = 0
        return curl_multi_socket_action(multi, socket, events, &running) == CURLM_OK
    }

    func deadline(isConnecting: Bool) -> Int64 {
        isConnecting ? min(timerDeadline, checkDeadline) : timerDeadline
    }

    func work(isConnecting: Bool, at now: Int64) -> Bool {
        runTimer(at: now) && (!isConnecting || checkAttempts(at: now))
    }

    /// Runs libcurl's timer if it is due. Returns `false` if libcurl is out of memory.
    private func runTimer(at now: Int64) -> Bool {
        guard timerDeadline <= now else { return true }
        timerDeadline = .max
        return act(on: CURL_SOCKET_TIMEOUT, events: 0)
    }

    /// The time between two checks of all attempts, in nanoseconds.
    private static let checkInterval: Int64 = 100_000_000

    /// Has libcurl check all attempts to connect periodically. When an address refuses, or is silent for too long,
    /// libcurl 7.88 tries the next one without a socket or a timer, and would not be called again.
    ///
    /// - Returns: `false` if libcurl is out of memory.
    private func checkAttempts(at now: Int64) -> Bool {
        guard checkDeadline <= now else { return true }
        checkDeadline = now &+ Self.checkInterval
        return ccurl_multi_check_all(multi) == CURLM_OK
    }

    func takeEnded() -> ConnectEnd? {
        var curl: UnsafeMutableRawPointer?
        var code = CURLE_OK
        if ccurl_multi_next_finished(multi, &curl, &code), let curl {
            return ConnectEnd(number: numbers[curl] ?? 0, result: code == CURLE_OK ? .made : .failed(code.rawValue))
        }
        return unwatched.popLast().map { ConnectEnd(number: numbers[$0] ?? 0, result: .unwatched) }
    }
}

// MARK: Callbacks

extension CurlDialer {
    /// Sets the callbacks of the multi handle. Returns `false` if libcurl rejects one.
    private func setCallbacks() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_multi_set_socket_function(multi, socketCallback, context) == CURLM_OK
            && ccurl_multi_set_timer_function(multi, timerCallback, context) == CURLM_OK
    }

    fileprivate func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: timerDeadline = .max
        case 0: timerDeadline = 0
        default: timerDeadline = ccurl_now() &+ Int64(min(milliseconds, Int(Int32.max))) &* 1_000_000
        }
    }

    fileprivate func watch(_ socket: curl_socket_t, _ what: Int32, of curl: UnsafeMutableRawPointer) {
        if !poll.setInterest(what, in: socket) { unwatched.append(curl) }
    }
}

private func dialer(_ context: UnsafeMutableRawPointer) -> CurlDialer {
    Unmanaged<CurlDialer>.fromOpaque(context).takeUnretainedValue()
}

private let socketCallback: ccurl_socket_callback = { curl, socket, what, context, _ in
    dialer(context).watch(socket, what, of: curl)
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    dialer(context).setTimer(milliseconds: milliseconds)
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
