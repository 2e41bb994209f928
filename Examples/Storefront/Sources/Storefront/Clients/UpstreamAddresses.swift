// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Where the services are that the storefront calls.
public struct UpstreamAddresses: Sendable {
    /// The base URL of the inventory.
    public var inventory: String
    /// The base URL of the prices.
    public var prices: String
    /// The URL of the token endpoint.
    public var token: String

    /// Makes addresses.
    public init(inventory: String, prices: String, token: String) {
        (self.inventory, self.prices, self.token) = (inventory, prices, token)
    }
}
