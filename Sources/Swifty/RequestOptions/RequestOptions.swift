// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

/// What one request has beside the hooks of its `Swifty`, and in place of its settings.
struct RequestOptions: Sendable {
    /// A setting of the request.
    enum Setting<Value: Sendable>: Sendable {
        /// That of the `Swifty`.
        case inherited
        /// The request's own; `nil` removes that of the `Swifty`.
        case own(Value?)
    }

    /// The hooks, which run after those of the `Swifty`.
    var hooks: [any Swifty.Hook] = []
    /// The credential for the origin of the request.
    var credential: CredentialStore.Credential?
    var cookies = Setting<CookieJar>.inherited
    var contentDecoding: Swifty.ContentDecoding?
    var hedging: HedgingPolicy?
    var logger: Logger?
    var cache: CachePolicy?
    /// Whether the load is for the cache alone, and the request's observers are not told about it.
    var isRefresh = false
    /// The largest content that is held in memory, in bytes.
    var contentLimit: Int?
}

extension RequestOptions.Setting {
    func value(over inherited: Value?) -> Value? {
        switch self {
        case .inherited: inherited
        case .own(let value): value
        }
    }
}
