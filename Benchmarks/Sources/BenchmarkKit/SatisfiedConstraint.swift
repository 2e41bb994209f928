// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty

/// A constraint that holds nobody up.
// Safety: no state of its own.
package final class SatisfiedConstraint: Constraint, @unchecked Sendable {
    override package func isConstraintSatisfied(for resource: NetworkResource) -> Bool { true }
}
