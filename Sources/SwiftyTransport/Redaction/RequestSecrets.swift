// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The secrets that a request declares. A class, since most requests declare none.
package final class RequestSecrets: Sendable {
    /// The names of its service.
    package let names: SecretNames
    /// The values that are secret wherever they occur.
    package let values: Set<String>
    /// The values of variables of its path that have names of secrets.
    package let pathValues: Set<String>

    private init(_ names: SecretNames, values: Set<String>, pathValues: Set<String>) {
        (self.names, self.values, self.pathValues) = (names, values, pathValues)
    }

    /// The secrets of a service; `nil` if it adds no names.
    package static func named(_ names: SecretNames) -> RequestSecrets? {
        names.isStandard ? nil : RequestSecrets(names, values: [], pathValues: [])
    }

    /// The secrets of a request with one more value.
    package static func adding(_ value: String, to secrets: RequestSecrets?) -> RequestSecrets? {
        guard !value.isEmpty else { return secrets }
        let values = (secrets?.values ?? []).union([value])
        return RequestSecrets(secrets?.names ?? .standard, values: values, pathValues: secrets?.pathValues ?? [])
    }

    /// The secrets of a request with more values of its path.
    package static func adding(path values: Set<String>, to secrets: RequestSecrets?) -> RequestSecrets? {
        guard !values.isEmpty else { return secrets }
        let all = (secrets?.pathValues ?? []).union(values)
        return RequestSecrets(secrets?.names ?? .standard, values: secrets?.values ?? [], pathValues: all)
    }
}

extension RequestSecrets: CustomStringConvertible, CustomReflectable {
    package var description: String { "RequestSecrets(\(values.count + pathValues.count) values)" }

    /// The description alone, so that `dump` of what holds them shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestSecrets: Hashable {
    package static func == (one: RequestSecrets, other: RequestSecrets) -> Bool {
        one.names == other.names && one.values == other.values && one.pathValues == other.pathValues
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(names)
        hasher.combine(values)
        hasher.combine(pathValues)
    }
}
