// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport

// The limits of time, and what a server's silence leads to.

extension Invariants {
    func checkLimits(of caller: Caller) {
        guard let ended = caller.transferEnded ?? caller.ended else { return }
        let limits = caller.plan.limits
        let passed = ended - caller.started
        let lag = history.plan.mostLate
        if let total = limits.total {
            let isReading = caller.hasHead && caller.transferEnded == nil
            let text = "load \(caller.number) took \(passed / 1_000) of \(total / 1_000) µs"
            world.expect(isReading || passed <= total + Self.tolerance + lag, "a load ends within its limits", text)
        }
        guard case .failure(let error) = caller.outcome, let limit = error.timeLimit else { return }
        let least =
            switch limit {
            case .total: limits.total
            case .connect: limits.connect
            case .firstByte: limits.firstByte
            case .idle: limits.idle
            default: Int64?.none
            }
        let text = "load \(caller.number): \(limit) after \(passed / 1_000) µs"
        world.expect(least.map { passed >= $0 } ?? false, "a limit is not reached before its time", text)
    }

    /// The limits that depend on what happens on a connection, where that can be seen: over HTTP/1.1.
    func checkSilences(of caller: Caller) {
        guard let ended = caller.transferEnded ?? caller.ended else { return }
        let carriages = network.carriages.filter { $0.load == caller.number }
        let limits = caller.plan.limits
        let late = Self.tolerance + history.plan.mostLate
        let sentence = "a load ends within its limits"
        for carriage in carriages {
            let end = min(ended, carriage.line.closedAt ?? ended)
            let silence = max(carriage.longestSilence, carriage.silence(of: caller, at: end))
            let delay = carriage.firstByte == nil ? carriage.delay(of: caller, at: end) : carriage.firstByteDelay
            let text = "load \(caller.number): \(silence / 1_000) µs of silence, \(delay / 1_000) µs to the first byte"
            world.expect(limits.idle.map { silence <= $0 + late } ?? true, sentence, "\(text), idle")
            world.expect(limits.firstByte.map { delay <= $0 + late } ?? true, sentence, "\(text), first byte")
        }
        checkAsking(of: caller, carriages, ended)
        guard case .failure(let error) = caller.outcome, let carriage = carriages.last else { return }
        checkHaste(of: caller, carriage, error, ended)
    }

    /// No limit is reached before its time, while something else than the server is waited for.
    private func checkHaste(of caller: Caller, _ carriage: Carriage, _ error: SwiftyError, _ ended: Int64) {
        let late = Self.tolerance + history.plan.mostLate
        let sentence = "a limit is not reached before its time"
        if error.timeLimit == .idle, caller.transferEnded == nil, let idle = caller.plan.limits.idle {
            let silence = ended - carriage.lastActivity
            world.expect(silence >= idle, sentence, "load \(caller.number): idle after \(silence / 1_000) µs")
        }
        guard let closing = carriage.closing, [.idle, .firstByte].contains(error.timeLimit) else { return }
        // Over HTTP/2, a later attempt cannot be seen.
        guard network.hosts[caller.plan.host].lines.allSatisfy({ !$0.speaksHTTP2 }) else { return }
        world.expect(ended - closing.time <= late, sentence, "load \(caller.number): it had no connection")
        let unread = closing.time - (closing.unreadSince ?? closing.time)
        world.expect(unread <= late, sentence, "load \(caller.number): the reader was waited for")
        guard caller.sources.count == 1 else { return }
        let isAwaited = closing.isAwaitingSource(for: late)
        world.expect(!isAwaited, sentence, "load \(caller.number): the source was waited for")
        guard error.timeLimit == .firstByte, let limit = caller.plan.limits.firstByte else { return }
        let wait = closing.time - max(carriage.began, caller.sources.lastAwaitedAnswer)
        let text = "load \(caller.number): \(wait / 1_000) µs after the source"
        world.expect(wait >= limit, sentence, text)
    }

    /// An attempt does not wait for the source of the one before, if it has one of its own.
    private func checkAsking(of caller: Caller, _ carriages: [Carriage], _ ended: Int64) {
        guard case .source(let source) = caller.plan.content, source.isReplayable else { return }
        let late = Self.tolerance + history.plan.mostLate
        for carriage in carriages.dropFirst() where carriage.line.plan.room > 50_000 {
            let end = min(ended, carriage.line.closedAt ?? ended)
            let threshold = history.plan.settings.expectContinueThreshold ?? .max
            let expects = !source.announcesLength || source.size > threshold
            if expects || end < carriage.began + late { continue }
            let isAsked = caller.sources.asked.contains { $0 >= carriage.began && $0 <= carriage.began + late }
            let text = "load \(caller.number) at \((carriage.began - World.start) / 1_000_000) ms"
            world.expect(isAsked, "an attempt does not wait for the source of another one", text)
        }
    }

    /// A connection over HTTP/2 on which nothing passes any more is found by a PING.
    func checkDeadConnections() {
        guard let interval = history.plan.settings.pingInterval else { return }
        for line in network.hosts.flatMap(\.lines) where line.speaksHTTP2 {
            guard let frozen = line.frozenAt else { continue }
            let records = network.requests.filter { $0.line === line && !$0.isResponseComplete && !$0.isRefused }
            guard let began = records.map(\.began).max() else { continue }
            let limit = max(began, frozen) + 2 * interval + 2 * line.plan.latency + 10_000_000
            let isAwaited = records.contains { record in
                network.caller(record.load).map { ($0.transferEnded ?? $0.ended ?? .max) > limit } ?? false
            }
            let text = "connection \(line.number) was dead from \((frozen - World.start) / 1_000_000) ms on"
            world.expect(!isAwaited || (line.closedAt ?? .max) <= limit, "a dead connection is found", text)
        }
    }

    /// So is one on which requests only begin when it is dead already, one after the other: each that reaches a limit
    /// has the server asked for a sign.
    func checkDeadConnectionsWithRequests() {
        guard let interval = history.plan.settings.pingInterval else { return }
        for line in network.hosts.flatMap(\.lines) {
            guard let requested = line.requestedWhileFrozen, !isDisturbed(line.host) else { continue }
            let closed = min(line.closedAt ?? .max, history.shutdownBegan ?? .max)
            let late = (closed - requested - 2 * interval) / 1_000_000
            let text = "connection \(line.number) was kept for \(late) ms more than two intervals of PINGs"
            world.expect(late <= 20, "a dead connection is found", text)
        }
    }

    /// Over HTTP/1.1, the response may still come.
    func checkFailedSends() {
        for line in network.hosts.flatMap(\.lines) where line.speaksHTTP2 {
            guard let failed = line.sendFailedAt else { continue }
            let delay = (line.closedAt ?? .max) - failed
            let limit = Self.tolerance + history.plan.mostLate
            let text = "connection \(line.number): \(delay / 1_000) µs later"
            world.expect(delay <= limit, "a connection over HTTP/2 ends when nothing can be sent on it", text)
        }
    }

    /// A connection on which a request has reached a limit gets no other one before the server has given a sign.
    func checkSuspectedConnections() {
        // Without PINGs, nothing would end the suspicion.
        if history.plan.settings.pingInterval == nil { return }
        for line in network.hosts.flatMap(\.lines) {
            guard let frozen = line.frozenAt, let requested = line.lastRequestedWhileFrozen else { continue }
            let records = network.requests.filter { $0.line === line && !$0.isResponseComplete && !$0.isRefused }
            let ends = records.compactMap { record -> Int64? in
                guard let caller = network.caller(record.load), case .failure(let error) = caller.outcome,
                    error.timeLimit != nil, network.requests(of: record.load).last === record
                else { return nil }
                return caller.transferEnded ?? caller.ended
            }
            // Before that time, something may still have been on its way. A caller may learn of the end late.
            let silence = frozen + line.plan.latency + 1_000_000 + history.plan.mostLate
            guard let end = ends.filter({ $0 > silence }).min() else { continue }
            let text = "connection \(line.number): \((requested - end) / 1_000) µs later"
            world.expect(requested <= end + Self.tolerance, "a suspected connection gets no request", text)
        }
    }

    /// Whether loads of a host end for other reasons than their limits.
    private func isDisturbed(_ host: Host) -> Bool {
        history.callers.contains { caller in
            guard caller.plan.host == host.number else { return false }
            if case .streamed(let plan) = caller.plan.reader, plan.leavesAfter != nil { return true }
            if case .failure(let error) = caller.outcome, error.code == .contentUnreadable { return true }
            return caller.isCancelled
        }
    }
}
