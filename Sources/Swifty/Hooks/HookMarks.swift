// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The marks of the hooks of a configuration, by their kinds and in their order.
struct HookMarks: Sendable {
    let requestInterceptors: [HookMark]
    let responseInterceptors: [HookMark]
    let attemptInterceptors: [HookMark]
    let routers: [HookMark]
    let signers: [HookMark]
    let challengeHandlers: [HookMark]
    let retryDecision: HookMark
    let redirectDecision: HookMark

    /// The marks of the hooks of a `Swifty`: a new one for each.
    init(_ configuration: Swifty.Configuration) {
        requestInterceptors = configuration.requestInterceptors.map { _ in HookMark() }
        responseInterceptors = configuration.responseInterceptors.map { _ in HookMark() }
        attemptInterceptors = configuration.attemptInterceptors.map { _ in HookMark() }
        routers = configuration.routers.map { _ in HookMark() }
        signers = configuration.signers.map { _ in HookMark() }
        challengeHandlers = configuration.challengeHandlers.map { _ in HookMark() }
        retryDecision = HookMark()
        redirectDecision = HookMark()
    }

    /// The marks of the hooks of a request, together with those of its `Swifty`.
    ///
    /// - Parameter base: The marks of the `Swifty`. Its challenge handlers are the last ones, its other hooks the
    ///   first.
    init(_ configuration: Swifty.Configuration, over base: HookMarks) {
        requestInterceptors = Self.append(configuration.requestInterceptors, to: base.requestInterceptors)
        responseInterceptors = Self.append(configuration.responseInterceptors, to: base.responseInterceptors)
        attemptInterceptors = Self.append(configuration.attemptInterceptors, to: base.attemptInterceptors)
        routers = Self.append(configuration.routers, to: base.routers)
        signers = Self.append(configuration.signers, to: base.signers)
        let ownHandlers = configuration.challengeHandlers.dropLast(base.challengeHandlers.count)
        challengeHandlers = ownHandlers.map(HookMark.ofType) + base.challengeHandlers
        (retryDecision, redirectDecision) = (base.retryDecision, base.redirectDecision)
    }

    private static func append(_ hooks: [Any], to marks: [HookMark]) -> [HookMark] {
        marks + hooks.dropFirst(marks.count).map(HookMark.ofType)
    }
}
