// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A slot for an encoded value. A container refers to the slots of its children, which may get their values later.
final class PatchSlot {
    private enum Content {
        case scalar(PatchValue)
        case array([PatchSlot])
        case object([String: PatchSlot])
    }

    private var content = Content.object([:])
    var hasExactNames = false

    var value: PatchValue {
        switch content {
        case .scalar(let value): value
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members):
            .object(PatchValue.Members(members.mapValues(\.value), areProperties: !hasExactNames))
        }
    }

    var elementCount: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    func set(_ value: PatchValue) {
        content = .scalar(value)
    }

    /// Begins an array, unless there is one.
    func makeArray() {
        if case .array = content { return }
        content = .array([])
    }

    /// Begins an object, unless there is one.
    func makeObject() {
        if case .object = content { return }
        content = .object([:])
    }

    func appendElement() -> PatchSlot {
        let slot = PatchSlot()
        var elements: [PatchSlot] = []
        if case .array(let known) = content { elements = known }
        // Without a second reference to the array, which would be copied.
        content = .array([])
        elements.append(slot)
        content = .array(elements)
        return slot
    }

    /// A slot for a key, which replaces an earlier one.
    func member(_ name: String) -> PatchSlot {
        let slot = PatchSlot()
        var members: [String: PatchSlot] = [:]
        if case .object(let known) = content { members = known }
        content = .object([:])
        members[name] = slot
        content = .object(members)
        return slot
    }
}
