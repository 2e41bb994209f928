// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadEnvironment {
    /// The environment of a load of the draft: this one, or one with the request's own options.
    func specialized(for draft: RequestDraft) -> LoadEnvironment {
        draft.interfaceOptions == nil ? self : specialized(by: draft.boxedOptions)
    }

    @inline(never)
    private func specialized(by options: BoxedRequestOptions?) -> LoadEnvironment {
        options?.value(for: self) { LoadEnvironment($0, over: self) } ?? self
    }
}

extension Swifty.Configuration {
    /// The configuration of a load whose request has its own options.
    ///
    /// - Parameter valueConstraints: The constraints that equal values of several requests stand for.
    func with(_ options: RequestOptions, _ valueConstraints: ValueConstraints) -> Swifty.Configuration {
        var configuration = self
        configuration.use(options.hooks)
        if options.isRefresh { (configuration.observers, configuration.tracings) = (observers, tracings) }
        // No request has those that are told about the whole instance.
        configuration.stateObservers = stateObservers
        let ownConstraints = configuration.constraints.indices.dropFirst(constraints.count)
        for index in ownConstraints {
            let registered = configuration.constraints[index]
            guard let adapter = registered.constraint as? AsyncConstraintAdapter, !(type(of: adapter.base) is AnyClass)
            else { continue }
            configuration.constraints[index] = RegisteredConstraint(
                constraint: valueConstraints.adapter(of: adapter.base),
                names: registered.names
            )
        }
        // The handlers of the request decide first.
        let ownHandlers = configuration.challengeHandlers.dropFirst(challengeHandlers.count)
        configuration.challengeHandlers = ownHandlers + challengeHandlers
        configuration.cookies = options.cookies.value(over: cookies)
        if let logger = options.logger {
            configuration.logger = logger
            configuration.logging.usesCurrentLogger = false
        }
        if let hedging = options.hedging { configuration.hedging = hedging }
        if let cache = options.cache { configuration.cache = cache }
        if let decoding = options.contentDecoding { configuration.contentDecoding = decoding }
        if let limit = options.contentLimit {
            let maximum = configuration.contentDecoding.maximumBytes
            configuration.contentDecoding.maximumBytes = min(limit, maximum)
        }
        return configuration
    }
}
