// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Says whether and how redirects of this request are followed, in place of the network interface's policy.
    @discardableResult
    public func redirects(_ policy: RedirectPolicy) -> Self {
        modify { $0.redirectPolicy = policy }
    }
}
