// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RedirectPolicy {
    /// What a policy's own `decide` knows of a redirect.
    public struct Context: Sendable {
        /// The request that was redirected.
        public let request: NetworkRequest
        /// The answer that redirects it.
        public let head: ResponseHead
        /// What is sent next by the rules of ``RedirectPolicy``.
        public let next: NetworkRequest
        /// How many redirects were followed before this one.
        public let count: Int

        /// Makes a context; for tests of policies.
        public init(request: NetworkRequest, head: ResponseHead, next: NetworkRequest, count: Int) {
            self.request = request
            self.head = head
            self.next = next
            self.count = count
        }
    }
}

extension RedirectPolicy {
    /// What follows a redirect.
    public enum Decision: Sendable {
        /// The next request is sent.
        case follow
        /// Nothing: the 3xx is the load's response.
        case refuse
        /// Another request is sent in place of the next one, if the rules of ``RedirectPolicy`` permit it; secrets that the rules
        /// took off do not come back with it.
        case change(NetworkRequest)
    }
}
