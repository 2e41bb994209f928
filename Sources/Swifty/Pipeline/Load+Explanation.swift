// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Load {
    /// Explains a load up to its transport, with the changes of the request interceptors.
    func explain() async throws(SwiftyError) -> RequestExplanation {
        let start = state.draft
        if let error = start.creationError { throw complete(error) }
        do throws(SwiftyError) {
            let draft = interceptsRequests ? try await intercept() : start
            let stages = stages(sending: draft)
            return try await RequestExplanation(draft, stages: stages) {
                [environment] (request: inout NetworkRequest) throws(SwiftyError) in
                if !draft.isMocked { try environment.complete(&request) }
            }
        } catch {
            throw complete(error)
        }
    }

    private var interceptsRequests: Bool { !state.draft.isMocked && runsRequestInterceptors }

    /// The stages that a load passes, in their order. Stages that do nothing are left out.
    private func stages(sending draft: RequestDraft) -> [String] {
        let sending = draft.isMocked ? ["mocked by the request itself"] : sendingStages(draft)
        let ending = [
            "accepted statuses: \(draft.acceptedStatuses.text)",
            names("response interceptors", configuration.responseInterceptors),
        ]
        return [constraintStage(draft), limitStage(draft)].compactMap(\.self) + sending + ending.compactMap(\.self)
    }

    private func sendingStages(_ draft: RequestDraft) -> [String] {
        let interceptors = interceptsRequests ? configuration.requestInterceptors : []
        let retry = draft.retryPolicy ?? configuration.retry
        let redirects = draft.redirectPolicy ?? configuration.redirects
        let compresses = (draft.requestCompression ?? configuration.requestCompression) != nil
        let stages = [
            names("request interceptors", interceptors),
            compresses ? "compression of the content" : nil,
            environment.reroutes.map { _ in "reroutes to other servers" },
            configuration.cookies.map { _ in "cookies" },
            names("routers", configuration.routers),
            configuration.usesCache ? "cache: \(configuration.cache.mode)" : nil,
            names("signers", configuration.signers),
            "admission: \(draft.priority) priority",
            configuration.coalesces && scoped == nil ? "coalescing with equal requests" : nil,
            "transport: \(transportName)",
            configuration.hedging.maximumRequests > 1 ? "hedging: after \(configuration.hedging.delay)" : nil,
            environment.authenticator.map { _ in "authentication when the server asks for it" },
            redirects.maximumCount > 0 ? "redirects: at most \(redirects.maximumCount)" : nil,
            retry.maximumAttempts > 1 ? "retries: at most \(retry.maximumAttempts) attempts" : nil,
            names("attempt interceptors", configuration.attemptInterceptors),
        ]
        return stages.compactMap(\.self)
    }

    private func constraintStage(_ draft: RequestDraft) -> String? {
        let constraints = environment.constraints(of: draft)
        if constraints.isEmpty { return nil }
        return "constraints: " + constraints.map(\.constraintName).joined(separator: ", ")
    }

    private func names(_ stage: String, _ hooks: [Any]) -> String? {
        hooks.isEmpty ? nil : "\(stage): " + hooks.map { "\(type(of: $0))" }.joined(separator: ", ")
    }

    private func limitStage(_ draft: RequestDraft) -> String? {
        let limits = draft.timeouts(over: configuration.timeouts)
        let named: [(String, Duration?)] = [
            ("total", limits.total), ("attempt", limits.attempt), ("connect", limits.connect),
            ("first byte", limits.firstByte), ("idle", limits.idle),
        ]
        let texts = named.compactMap { name, limit in limit.map { "\(name) \($0)" } }
        return texts.isEmpty ? nil : "time limits: " + texts.joined(separator: ", ")
    }

    private var transportName: String {
        let own = (environment.transport as? CoalescingTransport)?.transport ?? environment.transport
        return scoped != nil ? "\(type(of: transport)) in place of \(type(of: own))" : "\(type(of: own))"
    }
}
