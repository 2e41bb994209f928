// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty

extension PipelineHistory {
    func checkArrival(_ call: RequestCall) {
        guard let run = runs[call.load] else { return }
        admission.begin(call, run.place, nextPlace(call.request.priority.rawValue, call.request.target.origin), self)
        // A load that a flight makes may be accepted until the end of the grace period.
        if let last = run.maker == nil ? shutdownTime : shutdownEnd, let begin = run.begin, !isLate, !run.isCompound {
            world.expect(begin <= last, "a load that begins after a shutdown sends nothing", "load \(call.load)")
        }
        run.isTransferred = false
        // What was cancelled before its first byte is not sent.
        if run.hedging == nil || !call.isCancelled { run.begunAttempts.insert(run.attempt) }
        run.place = nil
        let isMocked = if case .mock = run.plan.form { true } else { false }
        world.expect(!isMocked, "a mocked load sends nothing", "load \(call.load)")
        // A shared transfer begins in a task of its own.
        if !plan.setup.coalesces, !run.isCompound {
            let isOver = run.finish != nil && (run.hedging == nil || !call.isCancelled)
            world.expect(!isOver, "a load that has finished sends nothing", "load \(call.load)")
        }
        if !call.isCancelled { checkHedging(call, run) }
        checkHooks(of: call, run)
        // A shared transfer may begin after all of its loads have left it.
        for constraint in constraints where !call.isCancelled && constraint.holds(run) && run.maker !== constraint {
            constraint.checkPassed(call.load)
        }
        checkRepetition(call, run)
        checkSharing(call)
    }

    /// A redirect may have changed the method to one without content.
    func checkContent(_ request: NetworkRequest, of call: RequestCall) {
        guard let run = runs[call.load], request.method.rawValue == run.plan.method else { return }
        // A signer reads it before.
        if case .usedUp = run.plan.content, plan.setup.signer != nil { return }
        let content = String(decoding: request.content.data ?? Data(), as: UTF8.self)
        world.expect(
            content == run.plan.text,
            "what a server receives is the content that the source made",
            "request \(call.number) of load \(call.load) has \(content)"
        )
    }

    /// A request that must not be repeated is processed at most once.
    private func checkRepetition(_ call: RequestCall, _ run: LoadRun) {
        guard !call.request.isIdempotent else { return }
        world.expect(
            !run.mustNotBeRepeated,
            "a request that may not be repeated is processed at most once",
            "load \(call.load), \(call.request.method)"
        )
    }

    private func checkSharing(_ call: RequestCall) {
        let request = call.request
        // A further request of a slow load shares nothing.
        let isHedged = plan.setup.hedging != nil || plan.loads.contains { $0.hedging != nil }
        guard plan.setup.coalesces, !isHedged, !call.isStreamed, !call.isCancelled,
            request.method == .get || request.method == .head,
            !request.requiresNewConnection, let transport
        else { return }
        // Where steps come late, the load may learn late that it has changed something.
        let grace = isLate ? 20.milliseconds : 0
        let equal = transport.open.filter { other in
            let sent = other.call.request
            return !other.call.isStreamed && sent.method == request.method && sent.target == request.target
                && !sent.requiresNewConnection && sent.timeouts == request.timeouts && !other.isEnding
                && sent.headers[.credential] == request.headers[.credential]
                && sent.headers[.authorization] == request.headers[.authorization]
                && sent.headers[.signature] == request.headers[.signature]
                // What was requested before a change is not for a load that follows it.
                && lastChanges[request.target].map { $0 + grace < other.begin } ?? true
        }
        world.expect(equal.isEmpty, "equal loads share a transfer", "request \(call.number)")
    }

    /// Notes what a request may have changed: its target, and where its response says that the result is.
    func noteChange(by transfer: Transfer, _ error: SwiftyError? = nil, isEnd: Bool) {
        let request = transfer.call.request
        let isSent = (error?.sent ?? transfer.sent) != .notSent
        guard ![.get, .head].contains(request.method), isSent else { return }
        var targets = [request.target]
        if let location = transfer.head?.headers[.location], let target = try? TargetURI(location),
            target.origin == request.target.origin
        {
            targets.append(target)
        }
        for target in targets {
            lastChanges[target] = world.now
            // Whether a streamed request was successful is known when its head is there.
            let isKnownEarly = transfer.call.isStreamed && transfer.head != nil
            if isEnd != isKnownEarly { changes[target, default: []].append(world.now) }
        }
    }

    func checkEnd(of transfer: Transfer, _ error: SwiftyError?) {
        guard let run = runs[transfer.call.load] else { return }
        run.isTransferred = true
        if error == nil, transfer.isEnding { run.wasDoneWhenCancelled = true }
        var refusals = [408, 421, 425, 429, 503, 307, 308, 401, 403]
        // Of a POST, these say that it was processed, and that its result is elsewhere.
        if transfer.call.request.method != .post { refusals += [301, 302] }
        // Of a safe method there is no effect that an error could deny.
        if [.get, .head].contains(transfer.call.request.method) { refusals.append(303) }
        let isRefused = transfer.head.map { refusals.contains($0.statusCode) } ?? false
        let mayBeProcessed =
            switch transfer.sent {
            case .notSent: false
            case .maybeSent: true
            case .responded: !isRefused || error != nil
            }
        if mayBeProcessed { run.noteProcessing(of: transfer.call.request) }
    }

    /// A load gets the content of a transfer that ended while it waited.
    func checkContent(_ content: Data?, of run: LoadRun, since begin: Int64) {
        guard let content, !content.isEmpty else { return }
        // Where steps come late, a shared transfer that has just ended can still be joined.
        let grace = isLate ? 20.milliseconds : 0
        let own = contents.filter { $0.end + grace >= begin && $0.content == content }
        world.expect(!own.isEmpty, "a load gets the whole content of its transfer", "load \(run.number)")
        guard let (_, _, request) = own.first, own.count == 1 else { return }
        let followed = changes[request.target]?.last { $0 + grace < begin } ?? 0
        world.expect(
            request.begin >= followed,
            "no load gets a response that was requested before a change that it follows",
            "load \(run.number) gets that of request \(request.number)"
        )
    }

    func checkEnd() {
        for run in runs.values.sorted(by: { $0.number < $1.number }) where run.begin != nil {
            world.expect(run.outcome != nil, "every load ends exactly once", "load \(run.number) has not ended")
        }
        world.expect(shutdownCount == 0, "a shutdown ends")
        world.expect(transport?.open.isEmpty ?? true, "every transfer ends")
        checkStatistics()
        checkBudget()
        // Those may be left that examine a host later, one after the other, and those of flights that never end.
        let endless = constraints.reduce(0) { $0 + $1.flights.count { !$0.isOver } }
        let wakes = wakes.times.count { $0 > world.lastEvent }
        world.expect(wakes <= 4 + endless, "no timer is left at the end", "\(wakes) were")
        swifty = nil
        requestHooks = []
        world.expect(loadsInFlight?.isEmpty ?? true, "nothing is kept of a load that precedence held")
        world.run()
        world.expect(weakSwifty == nil, "nothing keeps a Swifty whose loads have ended")
        for (index, constraint) in weakConstraints.enumerated() {
            world.expect(constraint.constraint == nil, "nothing keeps a constraint", "constraint \(index)")
        }
    }

    /// A stream whose transfer has ended holds no other load back, whether or not it is read.
    func checkReleases() {
        guard plan.setup.tellsEnds, let inFlight = weakSwifty?.admissionStatistics.inFlight,
            let open = transport?.open.count
        else { return }
        world.expect(inFlight <= open, "no admission outlives its transfer", "\(inFlight) for \(open) transfers")
    }

    /// The transfers of loads that have ended, which end at the same time. If the transport does not tell when that
    /// is, they are not waited for.
    var endingTransfers: [Transfer] { transport?.open.filter(\.isEnding) ?? [] }

    /// Has the server count a request, if it has a quota.
    func countQuota(of call: RequestCall) -> QuotaRecord.Report? {
        let setup = plan.setup
        // The downloads at the end of a history are those of another client.
        guard let quota = setup.quota, !call.isCancelled, call.load >= 0 else { return nil }
        let (report, excess) = quotas.begin(call.request.target.origin, quota, sent: world.now, at: world.now)
        // Without a limit, loads are not counted before a server tells of one. A hold has a limit of its own.
        let isCounted = setup.maximumLoads != nil || setup.maximumLoadsPerHost != nil
        if isCounted, setup.hostBackoff == nil, setup.lag == 0, setup.tellsEnds {
            let detail = excess.map { "request \(call.number) is number \($0)" } ?? ""
            world.expect(excess == nil, "no more is sent to a server than it has told to accept", detail)
        }
        return report
    }

    private func checkBudget() {
        guard !plan.setup.coalesces, plan.setup.retry?.connectionWait == nil else { return }
        let allowed = Double(plan.setup.retry?.reserve ?? 10) + 0.2 * Double(createdCount)
        for (origin, count) in retries.sorted(by: { $0.key < $1.key }) {
            world.expect(Double(count) <= allowed, "retries keep to their budget", "\(count) to \(origin)")
        }
    }

    private func checkStatistics() {
        guard let swifty else { return }
        let (all, admission) = (swifty.statistics, swifty.admissionStatistics)
        world.expect(all.inFlight == 0, "the statistics count no load in flight at the end", "\(all)")
        world.expect(
            all.started == all.succeeded + all.failed + all.cancelled,
            "the statistics add up",
            "\(all)"
        )
        world.expect(admission.inFlight == 0, "every admission is given back", "\(admission)")
        world.expect(admission.waiting == 0, "no load waits for admission at the end", "\(admission)")
        world.expect(all.hooksLeftBehind == 0, "no hook is left behind at the end", "\(all)")
        let shared = (swifty.environment.transport as? CoalescingTransport)?.transferCount ?? 0
        world.expect(shared == 0, "no shared transfer is kept at the end", "\(shared) are")
    }
}
