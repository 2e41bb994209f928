// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A load that a hook, a constraint or an `async` `map` makes, and that belongs to another load, which may wait for it.
enum InnerLoad {
    /// Whether a load that the current code makes is one.
    static var isMadeHere: Bool { !HookMark.current.isEmpty || !Constraint.flights.isEmpty }
}
