// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The parameters whose names begin with the same parts.
struct ParameterNode {
    /// The values of the parameters whose names have no more parts.
    private(set) var values: [QueryParameters.Pair] = []
    /// The next parts of the other names, in the order of their first occurrence.
    private(set) var names: [String] = []
    private var members: [String: ParameterNode] = [:]

    /// A node without parameters, or with values.
    init(_ values: [QueryParameters.Pair] = []) {
        self.values = values
    }

    var isEmpty: Bool { values.isEmpty && names.isEmpty }

    func member(_ name: String) -> ParameterNode? {
        members[name]
    }

    /// Adds a parameter under the parts of its name.
    mutating func insert(_ pair: QueryParameters.Pair, at parts: ArraySlice<String>) {
        guard let part = parts.first else { return values.append(pair) }
        if members[part] == nil { names.append(part) }
        members[part, default: ParameterNode()].insert(pair, at: parts.dropFirst())
    }

    /// The members in the order of their indices; `nil` if a name is not an index.
    var indexedMembers: [ParameterNode]? {
        var members: [(index: Int, node: ParameterNode)] = []
        for name in names {
            guard name.utf8.allSatisfy(\.isASCIIDigit), let index = Int(name), let node = self.members[name] else {
                return nil
            }
            members.append((index, node))
        }
        return members.sorted { $0.index < $1.index }.map(\.node)
    }
}
