// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// Runs all transfers of one multi handle. Made, used and freed on one thread, the only one that touches libcurl's
/// handles.
///
/// One turn: take the commands, run libcurl's timer, take its messages, enforce deadlines, resume the callers, wait.
///
/// Properties that are used with every line of a response, here, in `EasyHandle` and in `Transfer`, are exempt from
/// dynamic exclusivity checks, which would cost more than the accesses. All of them are confined to the loop's thread,
/// and no access spans a call into libcurl.
final class EventLoop {
    let environment: CurlEnvironment
    private(set) var resolveOverrides: UnsafeMutablePointer<curl_slist>?
    /// The time at the beginning of the turn, in monotonic nanoseconds.
    @exclusivity(unchecked) private(set) var now = ccurl_now()

    // Safety: both live exactly as long as the loop.
    let multi: UnsafeMutableRawPointer
    /// The TLS sessions of all handles. Otherwise each handle would have its own, and handles are renewed.
    let share: UnsafeMutableRawPointer

    @exclusivity(unchecked) var poll: SocketPoll
    /// The time at which libcurl's timer fires: a deadline, not a pause that restarts with each turn.
    @exclusivity(unchecked) var curlDeadline = Int64.max
    /// A lower bound of all deadlines of transfers.
    @exclusivity(unchecked) var nextDeadline = Int64.max
    /// The transfers on connections, and those that wait for one.
    @exclusivity(unchecked) var active: [Transfer] = []
    @exclusivity(unchecked) var finished: [Transfer] = []
    /// The connections that libcurl is making, by their easy handles.
    @exclusivity(unchecked) var connectors: [UnsafeMutableRawPointer: Connector] = [:]
    private(set) lazy var pool = ConnectionPool(loop: self)
    /// The buffer for received bytes, which every connection uses for the time of one call.
    // Safety: freed with the loop, after its connections.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
    /// The buffer in which the parts of a request are joined.
    // Safety: freed with the loop, after its connections.
    let sendBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// Connections that have output for the end of the turn.
    @exclusivity(unchecked) private var unflushed: [Connection] = []
    /// Connections that had their share of this turn, and may hold more.
    @exclusivity(unchecked) private var unfinished: [Connection] = []
    private let mailbox: Mailbox
    @exclusivity(unchecked) private var commands: [LoopCommand] = []
    @exclusivity(unchecked) private var isEnding = false

    /// Returns `nil` if the process is out of memory or descriptors.
    init?(environment: CurlEnvironment, mailbox: Mailbox) {
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
        self.mailbox = mailbox
        self.multi = multi
        self.share = share
        self.poll = poll
        // All properties are set: `deinit` frees them.
        guard environment.settings.addresses.writeOverrides(to: &resolveOverrides), setUp() else { return nil }
        mailbox.open(poll.waker)
    }

    deinit {
        poll.waker.invalidate()
        // Closes the connections, which still calls back into this object.
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
        curl_slist_free_all(resolveOverrides)
        buffer.deallocate()
        sendBuffer.deallocate()
    }

    func flushLater(_ connection: Connection) {
        unflushed.append(connection)
    }

    /// Sends the output of connections that join the requests of a turn.
    private func flush() {
        if unflushed.isEmpty { return }
        let connections = unflushed
        unflushed.removeAll()
        for connection in connections where connection.isOpen { connection.codec.flush(on: connection) }
    }

    func receiveLater(on connection: Connection) {
        unfinished.append(connection)
    }

    /// The buffer for received bytes, or the beginning of it.
    func receiveBuffer(limit: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(limit, buffer.count)])
    }

    /// Runs until a shutdown is requested; by the end, every transfer has ended.
    func run() {
        while true {
            takeCommands()
            if isEnding { break }
            runTimer()
            collectFinished()
            endOverdue()
            flush()
            deliver()
            let mayWait = mailbox.declareAsleep() && unfinished.isEmpty && unflushed.isEmpty
            wait(milliseconds: mayWait ? waitTime : 0)
        }
        collectFinished()
        endAll(with: .shutdown)
        deliver()
    }

    private func takeCommands() {
        mailbox.take(into: &commands)
        now = ccurl_now()
        for command in commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer, let failure): cancel(transfer, with: failure)
            case .shutdown: isEnding = true
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Ends a transfer in the next turn, for callbacks in which libcurl must not be called.
    func cancelLater(_ transfer: Transfer, with failure: TransferFailure) {
        _ = mailbox.post(.cancel(transfer, failure))
    }

    /// Takes the connections that libcurl has made.
    private func collectFinished() {
        var curl: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while ccurl_multi_next_finished(multi, &curl, &code) {
            if let curl, let connector = connectors.removeValue(forKey: curl) { pool.finish(connector, code) }
        }
    }

    private func runTimer() {
        guard curlDeadline <= now else { return }
        curlDeadline = .max
        act(on: CURL_SOCKET_TIMEOUT, events: 0)
    }

    private func wait(milliseconds: Int32) {
        let continued = unfinished
        unfinished.removeAll()
        let count = poll.wait(milliseconds: milliseconds)
        if count > 0 { now = ccurl_now() }
        for index in 0..<count {
            let ready = poll.event(at: index)
            if poll.isStale(ready) { continue }
            if let connection = poll.table.connection(of: ready.socket) {
                connection.handle(ready.events)
            } else {
                act(on: ready.socket, events: ready.events)
            }
        }
        for connection in continued where connection.isOpen { connection.handle(CURL_CSELECT_IN) }
    }

    private func act(on socket: curl_socket_t, events: Int32) {
        var running: Int32 = 0
        let code = curl_multi_socket_action(multi, socket, events, &running)
        // For lack of memory: libcurl does not report which connections it has lost.
        if code != CURLM_OK { endAll(with: .outOfMemory) }
    }

    /// The time until the next deadline, in milliseconds rounded up; -1 without a deadline.
    private var waitTime: Int32 {
        let deadline = min(curlDeadline, nextDeadline)
        if deadline == .max { return -1 }
        let pause = deadline &- ccurl_now()
        return pause <= 0 ? 0 : Int32(clamping: (pause &+ 999_999) / 1_000_000)
    }

    /// Resumes the callers after returning from libcurl, because a caller may immediately send its next request.
    private func deliver() {
        guard !finished.isEmpty else { return }
        for transfer in finished { transfer.resume() }
        finished.removeAll(keepingCapacity: true)
    }
}
