// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Modifiers with a bare number, unavailable, so that the compiler says what is written in its place.
extension ModifiableResource {
    /// Not available: a time limit has a unit.
    @available(*, unavailable, message: "a time limit has a unit: timeout(.seconds(5))")
    @discardableResult
    public func timeout(_ seconds: Int) -> Self { self }

    /// Not available: a time limit has a unit.
    @available(*, unavailable, message: "a time limit has a unit: timeout(.seconds(5))")
    @discardableResult
    public func timeout(_ seconds: Double) -> Self { self }

    /// Not available: all statuses that count as success are named together.
    @available(*, unavailable, message: "name all statuses that count as success: validate(status: [200, 404])")
    @discardableResult
    public func validate(status: Int) -> Self { self }
}
