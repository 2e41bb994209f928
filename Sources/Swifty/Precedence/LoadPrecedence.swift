// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Hooks with which critical loads hold back others, and deferrable loads wait until nothing else is in flight.
///
///     let swifty = Swifty { $0.use(LoadPrecedence()) }
///     try await Shop.pay(cart).precedence(.critical).load()          // other loads begin after it
///     try await Shop.prefetch().precedence(.deferrable).load()       // begins when no other load is in flight
///
/// A load begins when no load of a higher level is in flight; loads that have begun continue. It waits as for any
/// constraint: only its own time limit and its cancellation end the wait for a critical load. A load that a hook or a
/// constraint makes is held by none of this, since the load that it is made for may be the one that it would wait for.
///
/// Among loads that wait for admission, the `priority(_:)` decides.
public final class LoadPrecedence: Swifty.HookGroup {
    /// The level of a load.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// It waits for all others.
        case deferrable
        /// The default.
        case ordinary
        /// All others wait for it.
        case critical

        /// Orders by precedence: `.deferrable < .ordinary`.
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    let loads: LoadsInFlight
    private let gates: [PrecedenceGate]

    /// Makes the hooks for one `Swifty`, or for several whose loads count together.
    ///
    /// - Parameters:
    ///   - deferralLimit: The longest wait of deferrable loads for ordinary ones. After it, all that wait then begin,
    ///     and those of the following second.
    ///   - clock: The clock of this limit.
    public init(deferralLimit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()) {
        let (loads, clock) = (LoadsInFlight(), LoadClock(clock))
        self.loads = loads
        gates = [
            PrecedenceGate(loads, of: .ordinary, clock),
            PrecedenceGate(loads, of: .deferrable, limit: deferralLimit, clock),
        ]
    }

    /// The hooks: an observer that counts, and a constraint for each level that waits.
    public var hooks: [any Swifty.Hook] { [loads] + gates }
}

extension ModifiableResource {
    /// Sets the level among the loads of a `Swifty` with ``LoadPrecedence``; without it, the level has no effect.
    @discardableResult
    public func precedence(_ level: LoadPrecedence.Level) -> Self {
        context(level)
    }
}

extension RequestDraft {
    var precedence: LoadPrecedence.Level { context() ?? .ordinary }
}
