// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// A time limit of a load.
    public enum TimeLimit: String, Sendable, Hashable, CaseIterable {
        /// That of the whole load, ``NetworkRequest/Timeouts/total``.
        case total
        /// That of one attempt, ``NetworkRequest/Timeouts/attempt``.
        case attempt
        /// That of making a connection, ``NetworkRequest/Timeouts/connect``.
        case connect
        /// That of the wait for the response, ``NetworkRequest/Timeouts/firstByte``.
        case firstByte
        /// That of the time without traffic, ``NetworkRequest/Timeouts/idle``.
        case idle
        /// That of the wait for admission, `AdmissionPolicy.queueTimeout`.
        case queue
        /// That of a constraint, `Constraint.timeout`.
        case constraint
        /// That of the caller's task, `withDeadline(_:)`.
        case deadline
    }
}
