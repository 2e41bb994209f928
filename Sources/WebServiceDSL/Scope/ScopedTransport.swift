// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A transport for the loads of a scope.
package final class ScopedTransport: Sendable {
    /// Makes the transport of one load, with the clock and the transport of the interface.
    package typealias Maker = @Sendable (RequestDraft, any Clock<Duration>, any Transport) -> any Transport

    private struct Key: Hashable {
        let owner: ObjectIdentifier
        let type: ObjectIdentifier
    }

    /// Whether the request interceptors of the interface run before it.
    package let runsRequestInterceptors: Bool
    /// Whether a test's mocks or cassette answer.
    package let isForTests: Bool
    /// The session of the mocks, to inspect the sent requests; `nil` for a transport that is not a mock.
    package let mocks: (any Sendable)?
    private let make: Maker
    /// The values of the scope, by their owners and types.
    private let values = Mutex<[Key: any Sendable]>([:])

    package init(
        runsRequestInterceptors: Bool = true,
        isForTests: Bool = false,
        mocks: (any Sendable)? = nil,
        transport make: @escaping Maker
    ) {
        self.runsRequestInterceptors = runsRequestInterceptors
        self.isForTests = isForTests
        self.mocks = mocks
        self.make = make
    }

    /// The transport of one load.
    ///
    /// - Parameter own: The transport of the interface.
    package func transport(
        of draft: RequestDraft,
        clock: any Clock<Duration>,
        insteadOf own: any Transport
    ) -> any Transport {
        make(draft, clock, own)
    }

    /// A value that `owner` keeps for the loads of this scope alone, made on first use.
    package func value<Value: Sendable>(of owner: AnyObject, make: () -> Value) -> Value {
        let key = Key(owner: ObjectIdentifier(owner), type: ObjectIdentifier(Value.self))
        return values.withLock { values in
            if let value = values[key] as? Value { return value }
            let value = make()
            values[key] = value
            return value
        }
    }
}
