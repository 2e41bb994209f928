// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// What the scope of a load replaces, which is looked up once: `scoped`.

extension Load {
    /// The transport: that of the scope, or else that of the `Swifty`.
    @inline(__always)
    var transport: any Transport {
        scoped == nil && !MockedServices.isUsed ? environment.transport : scopedTransport()
    }

    @inline(never)
    private func scopedTransport() -> any Transport {
        let own = environment.transport
        if let error = state.draft.lostMocksError(insteadOf: own) {
            return RefusingTransport(error: error, capabilities: own.capabilities)
        }
        guard let scoped else { return own }
        if scoped.mocks != nil { state.metrics.source = .mock }
        return scoped.transport(of: state.draft, clock: configuration.clock, insteadOf: own)
    }

    /// The budget of the retries; see ``LoadEnvironment/retryBudget(in:)``.
    var retryBudget: RetryBudget { scoped.map(environment.retryBudget(in:)) ?? environment.retryBudget }

    /// The admission; see ``LoadEnvironment/admissions(in:)``.
    @inline(__always)
    var admissions: AdmissionQueue { scoped == nil ? environment.admissions : scopedAdmissions() }

    @inline(never)
    private func scopedAdmissions() -> AdmissionQueue {
        scoped.flatMap { $0.isForTests ? environment.admissions(in: $0) : nil } ?? environment.admissions
    }

    /// The cache; see ``LoadEnvironment/cache(in:)``.
    var cache: ResponseCache? {
        scoped.flatMap { $0.isForTests ? environment.cache(in: $0) : nil } ?? configuration.responseCache
    }

    var runsRequestInterceptors: Bool {
        !configuration.requestInterceptors.isEmpty && scoped?.runsRequestInterceptors ?? true
    }
}
