// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A constraint of a `Swifty`.
package struct RegisteredConstraint: Sendable {
    package let constraint: Constraint
    /// The hooks whose types select it: the constraint, and the groups that it belongs to.
    package let names: [any Swifty.Hook]
}

extension ConstraintSelection {
    /// All constraints but those of some types.
    ///
    /// - Parameter types: The types of constraints, or of groups that have some, such as ``OAuth2``. Subclasses count.
    public static func except(_ types: any Swifty.Hook.Type...) -> ConstraintSelection {
        ConstraintSelection(excluding: types)
    }

    /// The constraints of some types, and no others.
    ///
    /// - Parameter types: The types of constraints, or of groups that have some, such as ``OAuth2``. Subclasses count.
    public static func only(_ types: any Swifty.Hook.Type...) -> ConstraintSelection {
        ConstraintSelection(including: types)
    }
}
