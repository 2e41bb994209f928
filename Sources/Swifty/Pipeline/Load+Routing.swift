// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Load {
    /// The request with the route that the first router chooses which knows one.
    ///
    /// - Throws: ``SwiftyError`` of a router, or with its refusal.
    @inline(never)
    func route(_ request: NetworkRequest) async throws(SwiftyError) -> NetworkRequest {
        for (router, mark) in zip(configuration.routers, environment.marks.routers) where !mark.isCurrent {
            switch try await ask(router, mark, about: request.target) {
            case .direct: continue
            case .connect(let peer):
                var routed = request
                routed.connectsTo = peer
                try transport.capabilities.check(routed)
                state.request = routed
                emit(.rerouted(to: peer))
                return routed
            case .refuse(let reason):
                throw SwiftyError(.addressDenied, stage: .requestInterceptor, reason: reason)
            }
        }
        return request
    }

    private func ask(
        _ router: any RequestRouter,
        _ mark: HookMark,
        about target: TargetURI
    ) async throws(SwiftyError) -> RequestRoute {
        let scope = state.draft.scope
        return try await hooks.run(.typeName(of: router), stage: .requestInterceptor) {
            (_: HookRun<RequestRoute>) async throws(SwiftyError) in
            do {
                return try await NetworkScope.run(in: scope) {
                    try await mark.run { try await router.route(target) }
                }
            } catch {
                throw Self.hookError(error, hook: router, stage: .requestInterceptor, sent: .notSent)
            }
        }
    }
}
