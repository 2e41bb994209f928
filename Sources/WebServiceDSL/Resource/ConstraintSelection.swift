// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The constraints that may hold a request, of those that its network interface has.
public struct ConstraintSelection: Sendable {
    private enum Rule: Sendable {
        case all
        case none
        indirect case excluding([any Sendable.Type])
        indirect case including([any Sendable.Type])
    }

    private let rule: Rule

    private init(_ rule: Rule) {
        self.rule = rule
    }

    package init(excluding types: [any Sendable.Type]) {
        rule = .excluding(types)
    }

    package init(including types: [any Sendable.Type]) {
        rule = .including(types)
    }

    /// All constraints, the default.
    public static let all = ConstraintSelection(.all)
    /// No constraint.
    public static let none = ConstraintSelection(.none)

    /// Whether constraints may hold the request at all.
    package var isEmpty: Bool {
        if case .none = rule { true } else { false }
    }

    /// Whether every constraint may hold the request.
    package var isComplete: Bool {
        if case .all = rule { true } else { false }
    }

    /// Whether a constraint may hold the request.
    ///
    /// - Parameter names: The constraint, and the groups that it belongs to.
    package func includes(_ names: [any Sendable]) -> Bool {
        switch rule {
        case .all: true
        case .none: false
        case .excluding(let types): !types.contains { Self.isAny(of: names, an: $0) }
        case .including(let types): types.contains { Self.isAny(of: names, an: $0) }
        }
    }

    private static func isAny<Value: Sendable>(of names: [any Sendable], an type: Value.Type) -> Bool {
        names.contains { $0 is Value }
    }
}
