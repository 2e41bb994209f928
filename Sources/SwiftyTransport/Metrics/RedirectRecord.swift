// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadMetrics {
    /// One redirect that was followed: its answer, and where it led.
    public struct Redirect: Sendable, Hashable {
        /// The status that said so: 301, 302, 303, 307 or 308.
        public let statusCode: Int
        /// The URL that was asked, with the values of secret-looking query parameters replaced.
        public let from: String
        /// The URL that was asked next, redacted likewise.
        ///
        /// It ends in the fragment of the `Location`, or else in the one that an earlier redirect gave (RFC 9110 §10.2.2);
        /// fragments are never sent.
        public let to: String
        /// What the redirected request's transfer cost.
        public let metrics: TransferMetrics

        /// Records a redirect.
        package init(statusCode: Int, from: String, to: String, metrics: TransferMetrics = TransferMetrics()) {
            self.statusCode = statusCode
            self.from = from
            self.to = to
            self.metrics = metrics
        }
    }
}
