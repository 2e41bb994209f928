// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The path variables whose names mark secrets, such as `{token}`.
///
/// The result for each name is cached, because every request with variables asks for it.
enum SecretVariables {
    private static let known = Mutex<[String: Bool]>([:])
    /// The number of names after which all are dropped. Only a program that computes them reaches it.
    private static let capacity = 1000

    /// Whether the value of a variable is a secret.
    ///
    /// - Parameter names: The names of the service; `nil` if it defines none.
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
