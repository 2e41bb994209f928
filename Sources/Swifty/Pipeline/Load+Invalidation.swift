// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// What a request that may change something removes from the cache.

extension Load {
    /// Sends a request that may change what its URL stands for (RFC 9111 §4.4).
    func sendInvalidating(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        let received: Received
        do throws(SwiftyError) {
            received = try await sendPastCache(request)
        } catch {
            if error.sent != .notSent { await finishInvalidation(of: invalidate(after: nil, to: request)) }
            throw error
        }
        let isRefused = Self.saysFailure(received.head.statusCode) && !state.hasTakenEffect
        if !isRefused {
            await finishInvalidation(of: invalidate(after: received.head, to: request))
        }
        return received
    }

    /// Removes the stored responses that a failed load may have changed: the server may have processed its request, or
    /// that of an earlier attempt.
    @inline(never)
    func forgetUncertain(_ error: SwiftyError) {
        let isRefused = Self.saysFailure(error.statusCode ?? 0) && state.metrics.attempts.count <= 1
        guard error.sent != .notSent, !isRefused, let request = state.request, !request.method.isSafe else { return }
        cache?.invalidate(CacheKey.resource(request.target))
    }

    /// Waits until what a request has invalidated is gone from the directory, also for the next process. The result of
    /// the load does not depend on it: it waits no longer than the load may last.
    private func finishInvalidation(of resources: [CacheDigest]) async {
        guard let cache, cache.isOnDisk else { return }
        _ = try? await hooks.run(.fixed("the response cache"), stage: .validation) {
            (_: HookRun<Void>) async throws(SwiftyError) in
            for resource in resources { await cache.finishInvalidation(of: resource) }
        }
    }

    /// Whether a status says that the request has changed nothing. A gateway (502, 504) does not know.
    private static func saysFailure(_ status: Int) -> Bool {
        (400...599).contains(status) && status != 502 && status != 504
    }

    /// - Returns: What was invalidated.
    private func invalidate(after head: ResponseHead?, to request: NetworkRequest) -> [CacheDigest] {
        let resources = request.changedTargets(after: head).map { CacheKey.resource($0) }
        for resource in resources { cache?.invalidate(resource) }
        return resources
    }
}
