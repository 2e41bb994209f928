// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The JSON that the items of a request build together, by the rules of HTTPie 3.
///
/// Objects and arrays appear where a path needs them, a later value replaces an earlier one, missing elements of an
/// array are null, and JSON values can be extended: `a:='[1]' a[]:=2` is `{"a":[1,2]}`. The first item decides whether
/// the content is an object or an array.
struct NestedJSON {
    private var root: JSONNode?

    /// Sets the value at a path.
    ///
    /// - Throws: ``UsageError`` with the place of the part that contradicts an earlier item.
    mutating func set(_ path: FieldPath, to value: JSONOutput) throws(UsageError) {
        var node = root ?? JSONNode(for: path.steps[0].step)
        root = nil
        defer { root = node }
        try node.set(path, 0, to: value)
    }

    /// The content; an empty object without items.
    var json: JSONOutput { root?.json ?? .object([]) }
}

/// A value that can be extended.
private indirect enum JSONNode {
    case value(JSONOutput)
    case object(JSONMembers)
    case array([JSONNode])

    /// The empty container that a step indexes.
    init(for step: FieldPath.Step) {
        if case .key = step { self = .object(JSONMembers()) } else { self = .array([]) }
    }

    /// An element that no item has set yet.
    static var null: JSONNode { .value(.null) }

    /// Sets the value that the steps from this one on lead to.
    mutating func set(_ path: FieldPath, _ position: Int, to value: JSONOutput) throws(UsageError) {
        guard position < path.steps.count else {
            self = .value(value)
            return
        }
        let (step, range) = (path.steps[position].step, path.steps[position].range)
        open()
        var node = self
        // Moved out of `self`, so that the containers are mutated in place.
        self = .null
        defer { self = node }
        switch (step, node) {
        case (.key(let name), .object(var members)):
            node = .null
            defer { node = .object(members) }
            let index = members.index(of: name, orAppend: path.container(behind: position))
            try members.all[index].node.set(path, position + 1, to: value)
        case (.index(let index), .array(var elements)):
            node = .null
            defer { node = .array(elements) }
            try path.check(index, at: range)
            while elements.count <= index { elements.append(.null) }
            if elements[index].isNull { elements[index] = path.container(behind: position) }
            try elements[index].set(path, position + 1, to: value)
        case (.append, .array(var elements)):
            node = .null
            defer { node = .array(elements) }
            elements.append(path.container(behind: position))
            try elements[elements.count - 1].set(path, position + 1, to: value)
        case (_, _): throw path.conflict(at: position, node.typeName)
        }
    }

    private var isNull: Bool {
        switch self {
        case .value(.null): true
        case .value(.verbatim(let text)): text == "null"
        default: false
        }
    }

    var json: JSONOutput {
        switch self {
        case .value(let value): value
        case .object(let members): .object(members.all.map { .init(name: $0.name, value: $0.node.json) })
        case .array(let elements): .array(elements.map(\.json))
        }
    }
}

extension JSONNode {
    /// Parses the text of an object or an array, so that it can be extended; its values stay text.
    private mutating func open() {
        guard case .value(.verbatim(let text)) = self, let json = JSONText(text.utf8) else { return }
        let parts = json.parts().map {
            ($0.name, JSONNode.value(.verbatim(String(decoding: $0.value.bytes, as: UTF8.self))))
        }
        if json.isArray {
            self = .array(parts.map(\.1))
        } else if json.isObject {
            var members = JSONMembers()
            for (name, value) in parts {
                let index = members.index(of: name, orAppend: value)
                members.all[index].node = value
            }
            self = .object(members)
        }
    }

    /// The type, as JSON names it.
    fileprivate var typeName: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .value(.string): "a string"
        case .value(.verbatim(let text)): Self.typeName(of: text)
        case .value: "a value"
        }
    }

    private static func typeName(of text: String) -> String {
        switch text.first {
        case "\"": "a string"
        case "t", "f": "a boolean"
        case "n": "null"
        // It contains the number of a load; any other such text was parsed as JSON.
        case "{", "[": "a value with {n}"
        default: "a number"
        }
    }
}

/// The members of an object in their order, found by name.
private struct JSONMembers {
    var all: [(name: String, node: JSONNode)] = []
    private var indices: [String: Int] = [:]

    mutating func index(of name: String, orAppend new: JSONNode) -> Int {
        if let index = indices[name] { return index }
        indices[name] = all.count
        all.append((name, new))
        return all.count - 1
    }
}

extension FieldPath {
    /// Longer arrays are mistakes, and would exhaust the memory.
    private static let maximumIndex = 999_999

    /// The container that the next step needs where a step leads; after the last step, a placeholder for the value.
    fileprivate func container(behind position: Int) -> JSONNode {
        position + 1 < steps.count ? JSONNode(for: steps[position + 1].step) : .null
    }

    fileprivate func check(_ index: Int, at range: Range<Int>) throws(UsageError) {
        if index < 0 { throw error("has a negative index", at: range) }
        if index > Self.maximumIndex { throw error("has an index above \(Self.maximumIndex)", at: range) }
    }

    /// The error of a step into a value of another type.
    fileprivate func conflict(at position: Int, _ type: String) -> UsageError {
        let step = steps[position]
        let (fact, needed) =
            switch step.step {
            case .key: ("names a member", "an object")
            case .index: ("names an element", "an array")
            case .append: ("appends an element", "an array")
            }
        let place = position == 0 ? "the content" : "\"\(prefix(position))\""
        return error("\(fact) where \(needed) is needed, but \(place) is \(type) already", at: step.range)
    }
}
