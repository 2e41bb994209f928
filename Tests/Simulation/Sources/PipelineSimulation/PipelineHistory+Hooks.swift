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

    /// A failure ends its attempt only if no other transfer of it is under way.
    func checkFurtherRivals(of transfer: Transfer) {
        guard let run = runs[transfer.call.load], run.hedging != nil, run.maker == nil, !run.isBatch,
            !plan.setup.coalesces, !isLate,
            let rivals = transport?.open.filter({ $0.call.load == run.number && !$0.isEnding })
        else { return }
        let failure = world.now
        world.after(1) { [weak self] in
            guard let self, run.cancellation == nil, run.lastResponse < failure else { return }
            let goOn = rivals.allSatisfy { $0.cancellation?.code != .cancelled }
            world.expect(goOn, "a failure does not end the other transfers of its load", "load \(run.number)")
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
