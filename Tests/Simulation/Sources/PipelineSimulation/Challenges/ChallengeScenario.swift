// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// Loads of servers that challenge them by Digest, and accept their nonces only for a while.
enum ChallengeScenario: Scenario {
    typealias History = ChallengePlan
    typealias Event = ChallengeEvent
    typealias State = ChallengeEnding

    static let name = "challenges"

    static func plan(_ random: inout SimulationRandom) -> ChallengePlan {
        ChallengePlan(&random)
    }

    static func play(_ plan: ChallengePlan, in world: World) {
        ChallengeHistory(plan, world).play()
    }
}

/// What can happen in a history.
enum ChallengeEvent: Int, EventName {
    case loadBegins, loadEnds, loadCancelled, requestSent
    case challenged, nonceRefused, passwordRefused, accepted, redirected
}

extension ChallengeEvent {
    var isStimulus: Bool {
        switch self {
        case .loadBegins, .loadCancelled, .challenged, .nonceRefused, .passwordRefused, .accepted, .redirected: true
        case .loadEnds, .requestSent: false
        }
    }
}

/// How loads end.
enum ChallengeEnding: Int, EventName {
    case succeeded, unauthorized, cancelled
}
