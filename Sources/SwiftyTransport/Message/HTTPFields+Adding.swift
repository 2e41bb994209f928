// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension HTTPFields {
    /// Adds a field after all others, as `append` does, but faster if the name is new.
    ///
    /// `append` calls the generic `replaceSubrange`, which the compiler cannot specialize in HTTPTypes. Setting a field
    /// is compiled into this module.
    package mutating func add(_ field: HTTPField) {
        if isEmpty { reserveCapacity(4) }
        if contains(field.name) {
            append(field)
        } else {
            self[fields: field.name] = [field]
        }
    }

    /// Adds a field after all others, and removes the previous ones of its name.
    package mutating func replace(with field: HTTPField) {
        if isEmpty {
            reserveCapacity(4)
        } else if contains(field.name) {
            self[fields: field.name] = []
        }
        self[fields: field.name] = [field]
    }

    /// Adds fields in turn, each as ``replace(with:)-(HTTPField)`` does, but without a search for each among all
    /// others, which would make the cost grow with the square of their number.
    package mutating func replace(with others: [HTTPField]) {
        var names = Set<HTTPField.Name>(minimumCapacity: count + others.count)
        for field in self { names.insert(field.name) }
        reserveCapacity(count + others.count)
        for field in others {
            if names.insert(field.name).inserted { append(field) } else { replace(with: field) }
        }
    }
}

extension HTTPField.Name {
    /// `Host`, which HTTPTypes declares as unavailable.
    package static let host = literal("Host")

    /// `Priority` (RFC 9218).
    package static let priority = literal("Priority")

    /// A name from the source code, which must be a token (RFC 9110 §5.6.2).
    package static func literal(_ name: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(name)") else { preconditionFailure("\(name) is not a token") }
        return name
    }
}
