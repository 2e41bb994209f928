// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The key of one ``APIKey``, shared by its constraint and its interceptor.
final class APIKeyHolder: Sendable {
    let placement: APIKey.Placement
    let origins: AllowedOrigins
    private let now: @Sendable () -> Date
    private let state: Mutex<CredentialState>

    init(
        placement: APIKey.Placement,
        origins: AllowedOrigins,
        rejectionLimit: Int,
        now: @escaping @Sendable () -> Date
    ) {
        self.placement = placement
        self.origins = origins
        self.now = now
        state = Mutex(CredentialState(limit: rejectionLimit))
    }

    /// Whether there is a current key.
    var hasKey: Bool { state.withLock { $0.current != nil } }

    /// The key that requests are sent with; it may be refused, see ``CredentialState/lastKnown``.
    var key: String? { state.withLock { $0.lastKnown } }

    func obtain(_ key: String) {
        state.withLock { $0.obtain(key, at: now()) }
    }

    /// Drops a key that a server refused with a 401.
    ///
    /// - Returns: `true` if the request may be sent again with another key.
    func invalidate(_ key: String) -> Bool {
        switch state.withLock({ $0.reject(key, at: now()) }) {
        case .outdated, .dropped: true
        case .foreign, .givenUp: false
        }
    }

    /// The value that a request has in the place of the key; `nil` if it has none.
    func value(in target: TargetURI?, _ headers: HTTPFields) -> String? {
        switch placement {
        case .header(let name):
            return HTTPField.Name(name).flatMap { headers[$0] }
        case .query(let name):
            let prefix = PercentEncoding.encode(name) + "="
            let pair = target?.query?.split(separator: "&").first { $0.hasPrefix(prefix) }
            return pair.flatMap { String($0.dropFirst(prefix.count)).removingPercentEncoding }
        }
    }
}

extension APIKeyHolder: CustomStringConvertible, CustomReflectable {
    var description: String {
        switch placement {
        case .header(let name): "APIKey(header \(name))"
        case .query(let name): "APIKey(query \(name))"
        }
    }

    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
