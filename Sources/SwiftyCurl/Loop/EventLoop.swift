// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// Runs the transfers of one thread, which creates, uses and frees it.
///
/// One turn: take the commands of other threads, take the connections that libcurl has made, enforce limits, send what
/// was joined during the turn, resume the callers, wait for the sockets, and receive.
final class EventLoop {
    let resources: LoopResources
    private let transfers: ActiveTransfers
    let pool: ConnectionPool
    private let mailbox: Mailbox
    private let presence: LoopPresence
    /// The commands of the turn; empty between turns, but with room for those of the next one.
    // Exempt from dynamic exclusivity checks, as in ``LoopResources``.
    @exclusivity(unchecked) private var commands: [LoopCommand] = []
    /// The time at which the reader of a response is to be resumed.
    private var nextSignal = Int64.max

    init(_ resources: LoopResources, mailbox: Mailbox, _ presence: LoopPresence) {
        let environment = resources.environment
        self.resources = resources
        self.mailbox = mailbox
        self.presence = presence
        transfers = ActiveTransfers(presence)
        pool = ConnectionPool(resources, transfers) { opened throws(TransferFailure) in
            try environment.makeCodec(for: opened)
        }
        mailbox.open(resources.poll.waker)
    }

    /// Runs until a shutdown is requested; by the end, every transfer has ended.
    func run() {
        while let time = act() { receive(within: time) }
        end()
    }

    /// The number of times that commands are taken once more before the loop looks at its sockets: a caller that the
    /// turn has resumed on this thread, and then its next transfer.
    private static let furtherRounds = 2

    /// The first part of a turn: everything that is to be done before the wait. Declares the loop asleep, immediately
    /// before the wait.
    ///
    /// - Returns: The time for which the loop may wait, in milliseconds, -1 for ever; `nil` if the loop is to end.
    // The parts of a turn are inlined, because each of them begins by saving many registers.
    @inline(__always)
    func act() -> Int32? {
        var round = 0
        while work() {
            let isAsleep = mailbox.declareAsleep()
            round += 1
            if !isAsleep, round <= Self.furtherRounds { continue }
            let hasWork = pool.deferred.isPresent || pool.line.hasHosts || transfers.hasRepeated
            return isAsleep && !hasWork ? timeToSleep : 0
        }
        return nil
    }

    /// Runs the commands, and what follows from them and from what was received. Returns `false` if the loop is to end.
    @inline(__always)
    private func work() -> Bool {
        if takeCommands() { return false }
        let canContinue = resources.dialer.work(isConnecting: pool.isConnecting, at: resources.now)
        if !canContinue { endAll(with: .outOfMemory) }
        if pool.isConnecting { pool.takeEnded() }
        pool.loseUnwatched()
        checkDeadlines()
        for transfer in transfers.takeRepeated() { pool.serve(transfer) }
        pool.serveQueued()
        pool.flush()
        nextSignal = transfers.resumeCallers(at: resources.now)
        return true
    }

    /// Ends all transfers.
    func end() {
        pool.takeEnded()
        endAll(with: .shutdown)
        _ = transfers.resumeCallers(at: resources.now)
    }

    /// Runs the commands of other threads. Returns whether the loop is to end.
    private func takeCommands() -> Bool {
        mailbox.take(into: &commands)
        resources.readClock()
        return commands.isEmpty ? false : runCommands(at: resources.now)
    }

    private func runCommands(at now: Int64) -> Bool {
        var isEnding = false
        for command in commands {
            switch command {
            case .start(let transfer): if transfers.begin(transfer, at: now) { pool.serve(transfer) }
            case .cancel(let transfer): transfers.cancel(transfer, at: now)
            case .unpause(let transfer):
                transfers.unpause(transfer, at: now)
                resources.watch(transfer.nextDeadline)
            case .content(let transfer, let answer, let pump):
                transfers.take(answer, of: pump, for: transfer, at: now)
                resources.watch(transfer.nextDeadline)
            case .count(let take): take(pool.statistics)
            case .run(let job): presence.outside { job.run() }
            case .shutdown: isEnding = true
            }
        }
        commands.removeAll(keepingCapacity: true)
        return isEnding
    }

    /// Checks the limits of transfers and connections, once the earliest may have been reached.
    private func checkDeadlines() {
        let now = resources.now
        guard resources.nextDeadline <= now else { return }
        resources.forgetDeadlines()
        resources.watch(transfers.endOverdue(at: now))
        resources.watch(pool.closeExpired())
        resources.watch(pool.checkPeers())
    }

    /// Ends all transfers and closes all connections.
    private func endAll(with failure: TransferFailure) {
        transfers.cancelAll(with: failure, at: resources.now)
        pool.closeAll()
    }
}

// MARK: Waiting

extension EventLoop {
    /// The second part of a turn: waits for the sockets, and receives.
    @inline(__always)
    func receive(within milliseconds: Int32) {
        let continued = pool.deferred.takeUnfinished()
        let poll = resources.poll
        pool.line.noteReceiving()
        var ready = SocketEvents()
        presence.outside { ready = poll.wait(milliseconds: milliseconds) }
        resources.readClock()
        let end = resources.now
        resources.waits.beginEvents()
        for index in 0..<ready.count { handle(poll.event(at: index), of: poll) }
        resources.waits.endEvents(ofWaitUntil: end, isComplete: ready.isComplete)
        for connection in continued where connection.isOpen { connection.handle(CURL_CSELECT_IN) }
    }

    private func handle(_ ready: ccurl_ready, of poll: SocketPoll) {
        if poll.isStale(ready) { return }
        if let handler = poll.table.handler(of: ready.socket) {
            handler.handle(ready.events)
        } else if !resources.dialer.act(on: ready.socket, events: ready.events) {
            endAll(with: .outOfMemory)
        }
    }

    /// The time until the next deadline, in milliseconds rounded up; -1 without a deadline.
    private var timeToSleep: Int32 {
        let dialing = resources.dialer.deadline(isConnecting: pool.isConnecting)
        let deadline = min(dialing, resources.nextDeadline, nextSignal)
        if deadline == .max { return -1 }
        let pause = deadline &- ccurl_now()
        return pause <= 0 ? 0 : Int32(clamping: (pause &+ 999_999) / 1_000_000)
    }
}

extension CurlEnvironment {
    /// Makes the codec of the protocol that ALPN has chosen.
    fileprivate func makeCodec(for opened: OpenConnection) throws(TransferFailure) -> any Codec {
        guard opened.speaksHTTP2 else { return HTTP1Codec(rules: settings.responses) }
        guard let codec = HTTP2Codec(streamLimit: maximumConcurrentStreams) else { throw .outOfMemory }
        return codec
    }
}
