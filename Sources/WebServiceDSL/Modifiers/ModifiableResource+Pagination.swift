// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Sets how the next page is found; see ``Pagination``.
    @discardableResult
    public func pagination(_ pagination: Pagination) -> Self {
        modify { $0.pagination = pagination }
    }
}
