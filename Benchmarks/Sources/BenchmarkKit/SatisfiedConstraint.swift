// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty

/// A constraint that is known to be satisfied.
// Safety: no state of its own.
package final class SatisfiedConstraint: Constraint, @unchecked Sendable {
    override package func isKnownSatisfied(for resource: NetworkResource) -> Bool { true }
    override package func isConstraintSatisfied(for resource: NetworkResource) -> Bool { true }
}

/// A satisfied constraint that must be asked on a queue.
// Safety: no state of its own.
package final class AskedConstraint: Constraint, @unchecked Sendable {
    override package func isConstraintSatisfied(for resource: NetworkResource) -> Bool { true }
}
