// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The configuration of ``Swifty/shared``, which a program may change until the instance is made of it.
final class SharedConfiguration: Sendable {
    static let ofProcess = SharedConfiguration()

    private let state = Mutex((configuration: Swifty.Configuration(), isTaken: false))

    /// The configuration, which changes no more.
    func take() -> Swifty.Configuration {
        state.withLock { state in
            state.isTaken = true
            return state.configuration
        }
    }

    /// Changes the configuration, unless it was taken.
    ///
    /// - Returns: Whether it was changed.
    func change(_ change: (inout Swifty.Configuration) -> Void) -> Bool {
        state.withLock { state in
            if !state.isTaken { change(&state.configuration) }
            return !state.isTaken
        }
    }
}

extension Swifty {
    /// Changes the configuration of ``shared``, at the start of a program: the defaults of every service that uses it.
    ///
    ///     Swifty.configureShared { $0.timeouts.total = .seconds(30) }
    ///
    /// - Parameter configure: Changes the configuration. It must not use ``shared``.
    /// - Returns: `false`, without effect, if something has used ``shared`` already.
    @discardableResult
    public static func configureShared(_ configure: (inout Configuration) -> Void) -> Bool {
        SharedConfiguration.ofProcess.change(configure)
    }
}

extension Swifty: CustomStringConvertible {
    /// The name of the instance, and the number of its loads in flight.
    public var description: String {
        let name = configurationName.map { "\"\($0)\", " } ?? ""
        return "Swifty(\(name)\(statistics.inFlight) loads in flight)"
    }
}
