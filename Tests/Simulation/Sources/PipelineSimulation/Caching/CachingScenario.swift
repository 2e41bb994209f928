// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// Loads through a cache, against servers whose resources change: which response may answer which load.
enum CachingScenario: Scenario {
    typealias History = CachingPlan
    typealias Event = CachingEvent
    typealias State = CachingEnding

    static let name = "caching"

    static func plan(_ random: inout SimulationRandom) -> CachingPlan {
        CachingPlan(&random)
    }

    static func play(_ plan: CachingPlan, in world: World) {
        CachingHistory(plan, world).play()
    }
}

/// What can happen in a history.
enum CachingEvent: Int, EventName {
    case loadBegins, loadEnds, loadCancelled, requestArrives, processed, changed, responded, failed
    case removed, emptied, restarted, killed, diskFails, diskWorks, shutdownBegins, shutdownEnds
}

extension CachingEvent {
    var isStimulus: Bool {
        switch self {
        case .loadBegins, .loadCancelled, .changed, .responded, .failed, .removed, .emptied, .shutdownBegins: true
        default: false
        }
    }

    /// A shutdown ends all loads at once, and is the only one.
    func canFollow(_ previous: CachingEvent) -> Bool {
        previous != .shutdownBegins || [.loadBegins, .failed, .removed, .emptied].contains(self)
    }
}

/// How loads end, by where their responses come from.
enum CachingEnding: Int, EventName {
    case network, cache, revalidated, stale, staleAfterFailure, notStored, cancelled, shutDown, failed
}
