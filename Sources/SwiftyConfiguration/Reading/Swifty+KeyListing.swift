// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Configuration
import Foundation
import Swifty

extension Swifty {
    /// A place in which keys can be listed, to find those that name no setting.
    ///
    /// swift-configuration answers for a key, and lists none. So keys are listed at their source, each time that
    /// settings are read.
    public struct KeyListing: Sendable {
        /// A key as it is written at its source, and in the form of the keys that a setting has there.
        struct Names: Sendable {
            let keys: [String]
            /// The beginning that all of them have.
            let prefix: String
            /// The form in which the source has the key of a setting.
            let form: @Sendable (String) -> String
        }

        let names: @Sendable (Scope) throws -> Names

        /// The variables of tests and of the command, which are no settings of a service.
        private static let otherVariables: Set = ["SWIFTY_MOCKS", "SWIFTY_RECORD", "SWIFTY_CONFIG_DIR"]

        /// The environment variables of the process whose names begin with the scope, such as `SWIFTY_`. Without a
        /// scope, no variable can be told from those of other programs, and none is listed.
        public static var environment: KeyListing {
            environment { ProcessInfo.processInfo.environment }
        }

        /// Environment variables that a program gave to an `EnvironmentVariablesProvider`.
        public static func environment(
            _ variables: @escaping @Sendable () throws -> [String: String]
        ) -> KeyListing {
            KeyListing { scope in
                let prefix = scope.variablePrefix
                let isListed = { (name: String) in name.hasPrefix(prefix) && !otherVariables.contains(name) }
                let names = prefix.isEmpty ? [] : try variables().keys.filter(isListed)
                return Names(keys: names.sorted(), prefix: prefix, form: scope.variable)
            }
        }

        /// The keys of a JSON file below the scope. The file is read again each time.
        public static func json(file path: String) -> KeyListing {
            keys { try JSONKeys.keys(of: Data(contentsOf: URL(fileURLWithPath: path))) }
        }

        /// Dotted keys of any other source, from its root, such as `swifty.timeouts.total`.
        public static func keys(_ keys: @escaping @Sendable () throws -> [String]) -> KeyListing {
            KeyListing { scope in
                let prefix = scope.key("")
                let below = try keys().filter { $0.hasPrefix(prefix) || "\($0)." == prefix }
                return Names(keys: below.sorted(), prefix: prefix, form: scope.key)
            }
        }
    }
}

/// Lists the keys of a JSON object, as swift-configuration's provider of JSON files makes them.
private enum JSONKeys {
    private struct NotAnObject: Error, CustomStringConvertible {
        var description: String { "the file contains no JSON object" }
    }

    static func keys(of data: Data) throws -> [String] {
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw NotAnObject() }
        return keys(of: root, below: "")
    }

    private static func keys(of object: [String: Any], below prefix: String) -> [String] {
        object.flatMap { name, value in
            let key = prefix.appending(key: name)
            return (value as? [String: Any]).map { keys(of: $0, below: key) } ?? [key]
        }
    }
}
#endif
