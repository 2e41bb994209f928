// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The variables of paths that have names of secrets, such as `{token}`.
///
/// Each name is judged the first time and then kept, because every request with variables asks.
enum SecretVariables {
    private static let known = Mutex<[String: Bool]>([:])
    /// The number of names after which all are dropped. Only a program that computes them reaches it.
    private static let capacity = 1000

    /// Whether the value of a variable is a secret.
    ///
    /// - Parameter names: The names of the service; `nil` if it has none.
    static func contains(_ name: String, _ names: SecretNames?) -> Bool {
        if let names { return names.contains(name) }
        if let isSecret = known.withLock({ $0[name] }) { return isSecret }
        let isSecret = SecretNames.standard.contains(name)
        known.withLock { known in
            if known.count == capacity { known.removeAll(keepingCapacity: true) }
            known[name] = isSecret
        }
        return isSecret
    }
}
