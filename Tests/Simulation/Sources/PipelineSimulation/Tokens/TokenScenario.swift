// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// Loads of an API that wants tokens, which expire, are revoked, and belong to logins that come and go.
enum TokenScenario: Scenario {
    typealias History = TokenPlan
    typealias Event = TokenEvent
    typealias State = TokenEnding

    static let name = "tokens"

    static func plan(_ random: inout SimulationRandom) -> TokenPlan {
        TokenPlan(&random)
    }

    static func play(_ plan: TokenPlan, in world: World) {
        TokenHistory(plan, world).play()
    }
}

/// What can happen in a history.
enum TokenEvent: Int, EventName {
    case loadBegins, loadEnds, loadCancelled, requestArrives, requestRefused, responded, failed
    case tokenRequested, tokenIssued, tokenRefused, tokenRequestEnds, tokenStored
    case accessRevoked, refreshRevoked, loginSet, loginBegins, loginEnds, loggedOut
    case allCancelled, restarted, shutdownBegins, shutdownEnds
}

extension TokenEvent {
    var isStimulus: Bool {
        switch self {
        case .loadBegins, .loadCancelled, .responded, .failed, .tokenIssued, .tokenRefused, .tokenRequestEnds,
            .tokenStored, .accessRevoked, .refreshRevoked, .loginSet, .loginBegins, .loggedOut, .allCancelled,
            .shutdownBegins:
            true
        default: false
        }
    }

    /// A shutdown ends all loads at once, and is the only one. So does the cancellation of all loads.
    func canFollow(_ previous: TokenEvent) -> Bool {
        switch previous {
        case .shutdownBegins: self == .failed || self == .loadBegins
        case .allCancelled: self != .responded && self != .loadCancelled
        default: true
        }
    }
}

/// How loads end.
enum TokenEnding: Int, EventName {
    case succeeded, unauthorized, unavailable, noToken, timedOut, cancelled, shutDown, failed
}
