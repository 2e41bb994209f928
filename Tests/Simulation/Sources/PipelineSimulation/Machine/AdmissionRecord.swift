// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// What servers saw of admission: how many requests at a time, how often, and in which order.
struct AdmissionRecord {
    private struct Arrival {
        let place: AdmissionPlace
        let time: Int64
        /// Whether it did not wait.
        let isImmediate: Bool
        /// Whether its order is known: not if its load has several requests at a time.
        let isOrdered: Bool
    }

    /// The time of the pause; `nil` without one.
    var isPausedSince: Int64?
    private var openCount = 0
    private var openCounts: [String: Int] = [:]
    private var arrivals: [String: [Arrival]] = [:]
    private var backoffs: [String: (since: Int64, until: Int64)] = [:]

    /// A request arrives at a server.
    ///
    /// - Parameter place: The place at which its load waited; `nil` if it did not.
    mutating func begin(
        _ call: RequestCall,
        _ place: AdmissionPlace?,
        _ next: AdmissionPlace,
        _ history: PipelineHistory
    ) {
        let (origin, setup, world) = (call.request.target.origin, history.plan.setup, history.world)
        openCount += 1
        openCounts[origin, default: 0] += 1
        let ending = setup.tellsEnds ? [] : history.endingTransfers
        check(
            openCount - ending.count,
            setup.maximumLoads,
            "no more loads are in flight than the limit allows",
            call,
            world
        )
        check(
            (openCounts[origin] ?? 0) - ending.count { $0.call.request.target.origin == origin },
            setup.maximumLoadsPerHost,
            "no more loads of a host are in flight than the limit allows",
            call,
            world
        )
        let isOrdered = history.runs[call.load].map { !$0.isCompound && $0.hedging == nil } ?? false
        let arrival = Arrival(
            place: place ?? next,
            time: world.now,
            isImmediate: place == nil,
            isOrdered: isOrdered
        )
        // What comes late after its admission says nothing about its order.
        if setup.lag == 0 {
            checkPause(call, world)
            checkBackoff(origin, call, world)
            if let rate = setup.rate { checkRate(rate, origin, call, world) }
            if !setup.coalesces, place != nil, isOrdered { checkOrder(arrival, origin, call, world) }
        }
        if !setup.coalesces, isOrdered, !history.isLate, history.waitsForRoomOnly { checkRoom(arrival, call, world) }
        arrivals[origin, default: []].append(arrival)
    }

    mutating func end(_ transfer: Transfer, _ error: SwiftyError?, _ history: PipelineHistory) {
        let (origin, now) = (transfer.call.request.target.origin, history.world.now)
        openCount -= 1
        openCounts[origin, default: 1] -= 1
        // A client may learn late of the end of content that is read later.
        guard error == nil, history.plan.setup.tellsEnds, let cap = history.plan.setup.hostBackoff,
            case .busy(_, let seconds) = transfer.answer.kind
        else { return }
        let until = now + min((seconds * 1_000).milliseconds, cap.milliseconds)
        if until > backoffs[origin]?.until ?? 0 { backoffs[origin] = (now, until) }
    }

    private func check(_ count: Int, _ limit: Int?, _ invariant: String, _ call: RequestCall, _ world: World) {
        guard let limit else { return }
        world.expect(count <= limit, invariant, "request \(call.number) is number \(count)")
    }

    private func checkPause(_ call: RequestCall, _ world: World) {
        guard let isPausedSince, isPausedSince < world.now else { return }
        world.report("nothing is sent during a pause", "request \(call.number)")
    }

    private func checkBackoff(_ origin: String, _ call: RequestCall, _ world: World) {
        guard let backoff = backoffs[origin] else { return }
        let isHeld = backoff.since < world.now && world.now < backoff.until
        world.expect(!isHeld, "nothing is sent to a host that asked for a pause", "request \(call.number)")
    }

    /// In no time are there more requests than the burst and what the rate adds.
    private func checkRate(_ rate: SetupPlan.Rate, _ origin: String, _ call: RequestCall, _ world: World) {
        let interval = rate.period.milliseconds / Int64(rate.requests)
        for (index, arrival) in (arrivals[origin] ?? []).reversed().enumerated() {
            let allowed = Int64(rate.burst) + (world.now - arrival.time) / max(interval, 1)
            world.expect(
                Int64(index + 2) <= allowed,
                "the rate of requests to a host is kept",
                "request \(call.number)"
            )
        }
    }

    /// Where loads wait only for room, none is sent before one that came earlier and is more urgent, to whatever host.
    private func checkRoom(_ arrival: Arrival, _ call: RequestCall, _ world: World) {
        let all = arrivals.values.joined()
        guard !arrival.isImmediate, all.count < AgeingRule.patience else { return }
        for other in all where other.isOrdered && other.time < arrival.time {
            let isLater = other.place.number > arrival.place.number
            let isWrong = isLater && (other.isImmediate || other.place.priority < arrival.place.priority)
            world.expect(!isWrong, "the most urgent load of all hosts is sent first", "request \(call.number)")
        }
    }

    /// No load that came later was sent earlier, unless it is more urgent or has aged.
    private func checkOrder(_ arrival: Arrival, _ origin: String, _ call: RequestCall, _ world: World) {
        let earlier = arrivals[origin] ?? []
        let mayHaveAged = earlier.count >= AgeingRule.patience
        for other in earlier
        where other.isOrdered && other.time < arrival.time && other.place.number > arrival.place.number {
            let isWrong =
                other.isImmediate || other.place.priority == arrival.place.priority
                || other.place.priority < arrival.place.priority && !mayHaveAged
            world.expect(!isWrong, "waiting loads are sent in their order", "request \(call.number) was overtaken")
        }
    }
}
