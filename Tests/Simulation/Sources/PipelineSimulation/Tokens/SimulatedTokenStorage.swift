// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// A storage that takes its time.
// Safety: the one thread of the simulation uses it.
final class SimulatedTokenStorage: OAuth2.TokenStorage, @unchecked Sendable {
    private let plan: TokenPlan.Storage
    private let world: World
    private(set) var token: OAuth2.Token?
    private var isBeingSaved = false
    private var isBeingLoaded = false
    var isBusy: Bool { isBeingSaved || isBeingLoaded }

    init(_ plan: TokenPlan.Storage, _ token: OAuth2.Token?, _ world: World) {
        (self.plan, self.token, self.world) = (plan, token, world)
    }

    func load() async -> OAuth2.Token? {
        let stored = token
        isBeingLoaded = true
        await pause()
        isBeingLoaded = false
        return stored
    }

    func save(_ token: OAuth2.Token?) async {
        world.expect(!isBeingSaved, "tokens are stored one after the other")
        isBeingSaved = true
        await pause()
        self.token = token
        isBeingSaved = false
        world.note(TokenEvent.tokenStored, 0, 0, "stored: \(token?.accessToken ?? "nothing")")
    }

    private func pause() async {
        let delay = plan.delay == 0 ? 0 : world.random.below(plan.delay + 1)
        await SimulatedClock(world: world).wait(delay)
    }
}
