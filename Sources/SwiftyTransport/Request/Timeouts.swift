// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkRequest {
    /// How long a load, or a phase of its transfer, may take. `nil` means without limit.
    ///
    /// A phase that takes too long ends the load with ``SwiftyError/Code/timedOut``, and the error's stage names the phase.
    public struct Timeouts: Sendable, Hashable {
        /// The whole call: from `load` to its completion, everything included.
        public var total: Duration?
        /// One attempt of a call that may make several: its interceptors, redirects and challenges, up to the end of the response's
        /// content. Its wait for admission does not count. Transports do not look at it.
        public var attempt: Duration?
        /// From the start of the transfer until the connection is ready: name lookup, TCP and TLS.
        public var connect: Duration?
        /// From the ready connection until the first byte of the response.
        public var firstByte: Duration?
        /// The longest silence on the connection, in either direction, once it is ready.
        public var idle: Duration?

        /// Makes a set of limits.
        public init(
            total: Duration? = nil,
            attempt: Duration? = nil,
            connect: Duration? = nil,
            firstByte: Duration? = nil,
            idle: Duration? = nil
        ) {
            self.total = total
            self.attempt = attempt
            self.connect = connect
            self.firstByte = firstByte
            self.idle = idle
        }

        /// These limits, and where they have none, those of `other`.
        public func merging(_ other: Timeouts) -> Timeouts {
            Timeouts(
                total: total ?? other.total,
                attempt: attempt ?? other.attempt,
                connect: connect ?? other.connect,
                firstByte: firstByte ?? other.firstByte,
                idle: idle ?? other.idle
            )
        }
    }
}
