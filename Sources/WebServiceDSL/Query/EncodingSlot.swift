// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A slot for an encoded value. A container refers to the slots of its children, which may get their values later.
final class EncodingSlot {
    private enum Content {
        case empty
        case value(QueryValue)
        case array
        case object
    }

    /// The number of members from which an index is used to find them.
    private static let indexedCount = 8

    private var content = Content.empty
    private var elements: [EncodingSlot] = []
    private var members: [(key: String, slot: EncodingSlot)] = []
    /// The indices of the members by key, once there are many.
    private var places: [String: Int] = [:]
    var sortsKeys = false

    var value: QueryValue {
        switch content {
        case .empty: return .null
        case .value(let value): return value
        case .array: return .array(elements.map(\.value))
        case .object:
            let ordered = sortsKeys ? members.sorted { $0.key < $1.key } : members
            return .object(
                ordered.map { QueryValue.Member(key: $0.key, value: $0.slot.value, isProperty: !sortsKeys) }
            )
        }
    }

    var elementCount: Int { elements.count }

    /// Whether nothing but the name of one member was encoded, as for an enum case without values.
    var isOnlyName: Bool {
        guard case .object = content, members.count == 1, case .object = members[0].slot.content else { return false }
        return members[0].slot.members.isEmpty
    }

    func set(_ value: QueryValue) {
        content = .value(value)
    }

    /// Begins an array, unless there is one.
    func makeArray() {
        if case .array = content { return }
        (content, elements) = (.array, [])
    }

    /// Begins an object, unless there is one.
    func makeObject() {
        if case .object = content { return }
        (content, members, places) = (.object, [], [:])
    }

    func appendElement() -> EncodingSlot {
        makeArray()
        let slot = EncodingSlot()
        elements.append(slot)
        return slot
    }

    /// A slot for a key, which replaces an earlier one.
    func member(_ key: String) -> EncodingSlot {
        makeObject()
        let slot = EncodingSlot()
        if let place = place(of: key) {
            members[place].slot = slot
        } else {
            if !places.isEmpty { places[key] = members.count }
            members.append((key, slot))
        }
        return slot
    }

    private func place(of key: String) -> Int? {
        if members.count < Self.indexedCount { return members.firstIndex { $0.key == key } }
        if places.isEmpty {
            for (place, member) in members.enumerated() { places[member.key] = place }
        }
        return places[key]
    }
}
