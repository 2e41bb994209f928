// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// Explains what a load would send, and the stages that it would pass; nothing is sent.
    ///
    /// The request interceptors of a `Swifty` run, as they do before each attempt, so that their changes are visible;
    /// constraints do not. Mocks and replacements of the current task are taken into account.
    ///
    /// - Throws: ``SwiftyError``: the error with which a load fails before anything is sent.
    public func explain() async throws(SwiftyError) -> RequestExplanation {
        let draft = draft.inCurrentScope()
        return try await draft.interface(insteadOf: networkInterface).explain(draft)
    }
}

extension TypedResource {
    /// Explains a load as ``NetworkResource/explain()`` does, with the type that is decoded.
    ///
    /// - Throws: As ``NetworkResource/explain()``.
    public func explain() async throws(SwiftyError) -> RequestExplanation {
        var explanation = try await resource.explain()
        explanation.stages.append("decoding: \(Value.self)")
        return explanation
    }
}
