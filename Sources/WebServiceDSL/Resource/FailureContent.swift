// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The value in the content of responses that fail a load by their status.
///
///     enum Store: WebService {
///         static let failure: FailureContent = .decoded(as: ProblemDetails.self)
///     }
///
///     do {
///         try await Store.order(42).load()
///     } catch {
///         print(error.decoded(ProblemDetails.self)?.detail ?? error.description)
///     }
///
/// The value is decoded in the format of the request. If it is a `CustomStringConvertible`, its description is part of
/// the error's `reason`, without secrets. Content that is no such value changes nothing: the error is that of the
/// status.
public struct FailureContent: Sendable {
    private struct Case: Sendable {
        /// `nil` for all statuses.
        let statuses: RequestDraft.AcceptedStatuses?
        let decode: @Sendable (NetworkResponse) -> (any Sendable)?
    }

    private let cases: [Case]

    private init(_ cases: [Case]) {
        self.cases = cases
    }

    /// The content of failed responses stays as it is.
    public static let undecoded = FailureContent([])

    /// A value of a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - statuses: The statuses whose content is such a value: `[404]`, or a range; all by default.
    public static func decoded<Value: Decodable & Sendable>(
        as type: Value.Type,
        when statuses: RequestDraft.AcceptedStatuses? = nil
    ) -> FailureContent {
        FailureContent([Case(statuses: statuses) { try? $0.decode(type) }])
    }

    /// A value of a type, for the statuses of a range: `400..<500`.
    public static func decoded<Value: Decodable & Sendable>(
        as type: Value.Type,
        when statuses: some RangeExpression<Int>
    ) -> FailureContent {
        decoded(as: type, when: RequestDraft.AcceptedStatuses(statuses))
    }

    /// The values of this one, and those of another one for the statuses that this one leaves out.
    ///
    ///     .decoded(as: ValidationErrors.self, when: [422]).or(.decoded(as: ProblemDetails.self))
    public func or(_ other: FailureContent) -> FailureContent {
        FailureContent(cases + other.cases)
    }

    /// The value in the content of a response; `nil` if there is none.
    func value(of response: NetworkResponse) -> (any Sendable)? {
        guard !cases.isEmpty, let status = response.statusCode else { return nil }
        return cases.first { $0.statuses?.contains(status) ?? true }?.decode(response)
    }
}

extension ModifiableResource {
    /// Sets the value in the content of failed responses, in place of that of the ``WebService``.
    @discardableResult
    public func failure(_ content: FailureContent) -> Self {
        modify { $0.setFailure(content) }
    }
}
