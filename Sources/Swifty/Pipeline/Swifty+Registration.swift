// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty.Configuration {
    /// Registers hooks, after those that are registered already. Hooks of one kind run in the order of registration;
    /// constraints are asked simultaneously.
    ///
    ///     let swifty = Swifty {
    ///         $0.use(SignIn(store: .shared), TraceHeader())
    ///     }
    ///
    /// A ``Swifty/LoadTracing`` or ``Swifty/StateObserver`` that is registered already, as the same object or as an
    /// equal value, is not registered again: what it counts would count twice.
    ///
    /// - Parameter hooks: The hooks. A value of several kinds is registered as each of them, and the members of a
    ///   ``Swifty/HookGroup`` one after the other.
    public mutating func use(_ hooks: any Swifty.Hook...) {
        use(hooks)
    }

    /// Registers the hooks of an array, in their order; see ``use(_:)-(Swifty.Hook...)``.
    public mutating func use(_ hooks: [any Swifty.Hook]) {
        for hook in hooks { add(hook, memberOf: []) }
    }

    private mutating func add(_ hook: any Swifty.Hook, memberOf groups: [any Swifty.Hook]) {
        let names = [hook] + groups
        if let group = hook as? any Swifty.HookGroup {
            for member in group.hooks { add(member, memberOf: names) }
        }
        if let constraint = hook as? Constraint ?? (hook as? any AsyncConstraint).map(AsyncConstraintAdapter.of) {
            constraints.append(RegisteredConstraint(constraint: constraint, names: names))
        }
        if var interceptor = hook as? any CredentialInterceptor {
            interceptor.names = names
            requestInterceptors.append(interceptor)
        } else if let interceptor = hook as? any RequestInterceptor {
            requestInterceptors.append(interceptor)
        }
        if let interceptor = hook as? any ResponseInterceptor { responseInterceptors.append(interceptor) }
        if let interceptor = hook as? any AttemptInterceptor { attemptInterceptors.append(interceptor) }
        if let router = hook as? any RequestRouter { routers.append(router) }
        if let signer = hook as? any RequestSigner { signers.append(signer) }
        if let observer = hook as? any Swifty.Observer { observers.append(observer) }
        if let tracing = hook as? any Swifty.LoadTracing, !tracings.contains(where: { hook.isSame(as: $0) }) {
            tracings.append(tracing)
        }
        if let observer = hook as? any Swifty.StateObserver, !stateObservers.contains(where: { hook.isSame(as: $0) }) {
            stateObservers.append(observer)
        }
        if let handler = hook as? any AuthenticationChallenge.Handler { challengeHandlers.append(handler) }
    }
}

extension Swifty.Hook {
    /// Whether another hook is the same object, or an equal value.
    fileprivate func isSame(as other: any Swifty.Hook) -> Bool {
        if type(of: self) is AnyClass { return (self as AnyObject) === (other as AnyObject) }
        return (self as? any Equatable)?.isEqual(to: other) ?? false
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { self == other as? Self }
}

/// Values that are no hooks, unavailable, so that the compiler says what a hook is.
extension Swifty.Configuration {
    /// Not available: a hook conforms to a protocol that says when it is called.
    @available(
        *,
        unavailable,
        message: """
            a hook is a value, not an optional, of a type that conforms to AsyncConstraint, RequestInterceptor, \
            ResponseInterceptor, Swifty.Observer or another kind of Swifty.Hook
            """
    )
    @_disfavoredOverload
    public mutating func use(_ values: Any...) {}

    /// Not available: a closure is no hook.
    @available(*, unavailable, message: "a closure is no hook: use a type that conforms to RequestInterceptor")
    @_disfavoredOverload
    public mutating func use(_ closure: (NetworkResource) async throws -> NetworkResource) {}
}
