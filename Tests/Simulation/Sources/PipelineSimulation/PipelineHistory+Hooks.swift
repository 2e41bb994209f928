// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

// What must be true of routers, signers, further requests and levels.

extension PipelineHistory {
    /// A load has one request in flight, or as many as its hedging allows, each after its delay.
    func checkHedging(_ call: RequestCall, _ run: LoadRun) {
        guard !run.isCompound, !plan.setup.coalesces, let transport else { return }
        let rivals = transport.open.filter { $0.call.load == call.load && !$0.isEnding }
        guard let last = rivals.last else { return }
        world.note(.hedgeArrives, of: call.load, rivals.count, is: "request \(call.number) is a further one")
        retries[call.request.target.origin, default: 0] += 1
        let allowed = run.hedging?.requests ?? 1
        world.expect(
            rivals.count < allowed,
            "a load has no more requests in flight than its hedging allows",
            "load \(call.load)"
        )
        guard let hedging = run.hedging else { return }
        world.expect(
            world.now - last.begin >= hedging.delay.milliseconds,
            "a further request is sent after its delay",
            "load \(call.load)"
        )
        world.expect(
            call.request.isIdempotent && !call.isStreamed && call.request.content.source == nil,
            "only a request that may be repeated at any time has a further one",
            "load \(call.load)"
        )
    }

    /// The first response counts, and ends the other transfers of its attempt.
    func checkRivals(of transfer: Transfer) {
        guard let run = runs[transfer.call.load], run.hedging != nil, !plan.setup.coalesces, !isLate else { return }
        let end = world.now
        world.after(1) { [weak self] in
            guard let self, let transport else { return }
            let left = transport.open.filter { $0.call.load == run.number && $0.begin < end }
            world.expect(left.isEmpty, "the first response ends the other transfers of its load", "load \(run.number)")
        }
    }

    /// What a server gets has passed the router, and is signed as it is.
    func checkHooks(of call: RequestCall, _ run: LoadRun) {
        let request = call.request
        world.expect(
            request.connectsTo == (plan.setup.router == nil ? nil : Router.peer),
            "each request goes where its router sends it",
            "request \(call.number)"
        )
        guard plan.setup.signer != nil else { return }
        let isAtHome = run.redirects == 0 && !plan.setup.coalesces
        guard let signature = request.headers[.signature] else {
            return world.expect(!isAtHome, "each request to its first origin is signed", "request \(call.number)")
        }
        let isElsewhere = request.target.origin != "https://server\(plan.resources[run.plan.resource].host).example"
        world.expect(!isElsewhere, "no request to another origin is signed", "request \(call.number)")
        let isIntact = signature.hasPrefix(request.signature(over: nil).dropLast())
        world.expect(isIntact, "a request is sent as it was signed", "request \(call.number): \(signature)")
    }
}

/// The loads in flight with their levels, as the events of the pipeline show them.
struct LevelRecord {
    private struct Entry {
        let level: Int
        let number: Int
        /// The number of the event with which its wait began; `nil` if it does not wait, or not yet.
        var wait: Int?
    }

    private var entries: [UInt64: Entry] = [:]
    private var lastNumber = 0
    /// The time since when some deferrable load waits; `nil` if none does.
    private var deferral: Int64?
    /// The latest end of the second after a limit, in which deferrable loads pass.
    private var passEnd: Int64 = .min

    mutating func observe(_ event: Swifty.Event, of load: UInt64, _ run: LoadRun) {
        lastNumber += 1
        let (now, limit) = (run.world.now, (run.history.plan.setup.deferralLimit ?? 0).milliseconds)
        if let deferral, now - deferral >= limit { passEnd = now + 1_000.milliseconds }
        switch event {
        case .created: entries[load] = Entry(level: run.plan.level, number: lastNumber)
        case .waiting where entries[load]?.wait == nil:
            entries[load]?.wait = lastNumber
            if run.plan.level == 0 { deferral = deferral ?? now }
        case .attemptStarted(1):
            checkBegin(of: load, run)
            entries[load]?.wait = nil
        case .finished: entries[load] = nil
        default: break
        }
        if !entries.values.contains(where: { $0.level == 0 && $0.wait != nil }) { deferral = nil }
    }

    /// No load of a higher level was in flight for the whole wait of this one.
    private func checkBegin(of load: UInt64, _ run: LoadRun) {
        guard let entry = entries[load], let wait = entry.wait, run.maker == nil, !run.history.isLate else { return }
        let world = run.world
        let mayPass = entry.level == 0 && world.now < passEnd
        let isHeld = entries.contains { id, other in
            id != load && other.level > entry.level && other.number < wait && (other.level == 2 || !mayPass)
        }
        world.expect(
            !isHeld,
            "a load begins when no load of a higher level is in flight",
            "load \(run.number), level \(entry.level)"
        )
    }
}
