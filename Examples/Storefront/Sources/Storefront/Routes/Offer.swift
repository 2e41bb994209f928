// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// What the storefront knows about an item.
struct Offer: ResponseEncodable, Decodable, Sendable, Hashable {
    var item: Int
    var available: Int
    /// In the smallest unit of the currency.
    var price: Int
    var currency: String
}
