// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Swifty

/// The service that knows how many of an item there are. Its requests need a token.
public struct Inventory: WebServiceClient {
    /// The number of an item that can be sold now.
    public struct Stock: Codable, Sendable, Hashable {
        /// The number of the item.
        public var item: Int
        /// How many there are.
        public var available: Int
    }

    /// The base of all paths.
    public let serverURL: String
    /// What loads the requests.
    public let networkInterface: any NetworkInterface

    /// How many of an item there are.
    public func stock(of item: Int) -> TypedResource<Stock> {
        server.get("items/\(item)/stock").decode()
    }

    /// Whether the server answers; needs no token, so that it says nothing about the server of the tokens.
    public func health() -> NetworkResource {
        server.get("health").canHaveConstraints(false)
    }
}
