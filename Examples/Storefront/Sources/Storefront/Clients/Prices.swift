// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Swifty

/// The service that knows what an item costs.
public struct Prices: WebServiceClient {
    /// The price of an item, in the smallest unit of its currency.
    public struct Price: Codable, Sendable, Hashable {
        /// The number of the item.
        public var item: Int
        /// The number of cents, or of what the currency has.
        public var amount: Int
        /// The code of the currency, such as `EUR`.
        public var currency: String
    }

    /// The base of all paths.
    public let serverURL: String
    /// What loads the requests.
    public let networkInterface: any NetworkInterface

    /// What an item costs.
    public func price(of item: Int) -> TypedResource<Price> {
        server.get("items/\(item)/price").decode()
    }

    /// Whether the server answers.
    public func health() -> NetworkResource {
        server.get("health")
    }
}
