// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension PatchValue {
    /// What changes a value into another one by the rules of RFC 7396 §2; `nil` if they are the same.
    static func difference(from old: PatchValue, to new: PatchValue) -> PatchValue? {
        guard case .object(let newMembers) = new, case .object(let oldMembers) = old else {
            return old.isSame(as: new) ? nil : new
        }
        var changes = Members(areProperties: newMembers.areProperties)
        for (name, value) in newMembers.values {
            changes.values[name] = difference(from: oldMembers.values[name] ?? .null, to: value)
        }
        for name in oldMembers.values.keys where newMembers.values[name] == nil { changes.values[name] = .null }
        return changes.values.isEmpty ? nil : .object(changes)
    }

    private func isSame(as other: PatchValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.encodable(let value), .encodable(let other)): Self.isSame(value, other)
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let members), .object(let others)): Self.isSame(members.values, others.values)
        default: false
        }
    }

    private static func isSame(_ value: any Encodable, _ other: any Encodable) -> Bool {
        guard let value = value as? any PatchScalar, let other = other as? any PatchScalar else { return false }
        return value.isSame(as: other)
    }

    private static func isSame(_ members: [String: PatchValue], _ others: [String: PatchValue]) -> Bool {
        members.count == others.count
            && members.allSatisfy { name, value in others[name].map { value.isSame(as: $0) } ?? false }
    }
}
