// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Settings of a request that belong together, as a value: time limits, retries, redirects, validation, priority,
/// hooks.
///
///     extension RequestConfiguration {
///         static let report = RequestConfiguration {
///             $0.timeout(.seconds(120)).retry(5).priority(.low).validate(contentTypes: ["text/csv"])
///         }
///     }
///
///     server.get("reports/2026").configuration(.report)
///
/// It consists of modifiers, also of those that you wrote. They are applied where
/// ``ModifiableResource/configuration(_:)`` is called: what stands before it is replaced, and what follows it counts
/// more. A service applies one to all of its requests in ``WebService/configure(_:)``.
public struct RequestConfiguration: Sendable {
    private let steps: [@Sendable (any ModifiableResource) -> Void]

    /// Makes a configuration of modifiers.
    ///
    /// - Parameter modify: Calls modifiers on the resource that it gets. Called for each request that gets the
    ///   configuration, from the thread of `configuration(_:)`.
    public init(_ modify: @escaping @Sendable (any ModifiableResource) -> Void) {
        steps = [modify]
    }

    private init(steps: [@Sendable (any ModifiableResource) -> Void]) {
        self.steps = steps
    }

    /// This configuration, and then another one, which replaces what both of them set.
    public func with(_ other: RequestConfiguration) -> RequestConfiguration {
        RequestConfiguration(steps: steps + other.steps)
    }

    /// This configuration, and then more modifiers.
    public func with(_ modify: @escaping @Sendable (any ModifiableResource) -> Void) -> RequestConfiguration {
        RequestConfiguration(steps: steps + [modify])
    }

    func apply(to resource: any ModifiableResource) {
        for step in steps { step(resource) }
    }
}

extension RequestConfiguration {
    /// For a request that a person waits for: high priority, at most 15 s for each attempt and 30 s in all, and a
    /// second attempt after a failure of the transfer or of the server.
    public static let interactive = RequestConfiguration {
        $0.priority(.high).timeout(total: .seconds(30), attempt: .seconds(15)).retry(2)
    }

    /// For a request that can wait: low priority, at most 10 minutes in all, and up to five attempts.
    public static let background = RequestConfiguration {
        $0.priority(.low).timeout(.seconds(600)).retry(5)
    }
}

extension ModifiableResource {
    /// Applies the modifiers of a configuration to this request.
    @discardableResult
    public func configuration(_ configuration: RequestConfiguration) -> Self {
        configuration.apply(to: self)
        return self
    }
}
