// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging
public import WebServiceDSL

extension Swifty {
    /// What a `Swifty` does unless a request says otherwise.
    public struct Configuration: Sendable {
        /// The time limits of requests that have none of their own: 10 s to connect, 60 s of silence, no total.
        public var timeouts: Timeouts

        /// The queue on which closures are called that name none.
        ///
        /// If `nil`, the main queue on Apple's systems, and elsewhere a concurrent queue of the instance: a server's main
        /// queue may never run.
        public var deliveryQueue: DispatchQueue?

        /// The folder in which mock files are looked for first.
        public var mockDirectory: String?

        /// Where loads are logged, at `debug` and below; nowhere if `nil`. Secrets are redacted.
        public var logger: Logger?

        /// Makes a configuration.
        public init(
            timeouts: Timeouts = Timeouts(connect: .seconds(10), idle: .seconds(60)),
            deliveryQueue: DispatchQueue? = nil,
            mockDirectory: String? = nil,
            logger: Logger? = nil
        ) {
            self.timeouts = timeouts
            self.deliveryQueue = deliveryQueue
            self.mockDirectory = mockDirectory
            self.logger = logger
        }
    }
}
