// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A request for which a cache is asked.
struct CacheUse {
    /// What has to be known about the time before the request is sent.
    struct Start: TransferStart {
        fileprivate let time: Double
        fileprivate let invalidations: Int
        fileprivate let cache: ResponseCache
        fileprivate let resource: CacheDigest

        var isCurrent: Bool { cache.isValid(resource, since: invalidations) }
    }

    let cache: ResponseCache
    let key: CacheKey
    let policy: CachePolicy
    /// Without the fields that ask whether a stored response is current.
    let request: NetworkRequest

    /// Now, before the request is sent.
    var start: Start {
        Start(time: cache.now, invalidations: cache.invalidations, cache: cache, resource: key.resource)
    }

    /// Whether a stored response is used because the server has failed: it allows that, and was not removed since the
    /// request was sent.
    func mayReplaceFailure(_ stored: StoredResponse, since start: Start) -> Bool {
        stored.replacesFailure(request, at: cache.now) && cache.isValid(key.resource, since: start.invalidations)
    }

    /// Stores a response other than 304, if it may be stored; the stored response that it replaces is removed if not.
    func store(_ response: TransportResponse, since start: Start, replacing old: StoredResponse?) {
        if let new = rule.stored(response, times(since: start)) {
            if let old, old.variant != new.variant { cache.remove(old, key) }
            cache.store(new, key, since: start.invalidations)
        } else if let old, response.head.statusCode < 500, !isSilent(response.head) {
            if isConfirmed(old, byHead: response.head) {
                confirm(old, by: response.head, since: start)
            } else {
                cache.remove(old, key)
            }
        }
    }

    /// The stored response with the fields of the 304 that confirms it. It is stored with them, or removed if they
    /// forbid that.
    @discardableResult
    func confirm(_ stored: StoredResponse, by head: ResponseHead, since start: Start) -> TransportResponse {
        let updated = stored.updated(by: head)
        let new = rule.storedComplete(updated, times(since: start))
        if new?.variant != stored.variant { cache.remove(stored, key) }
        if let new { cache.store(new, key, since: start.invalidations) }
        return request.method == .head ? updated.withoutContent : updated
    }

    /// Whether a response says nothing about the resource: the request did not get as far, or, with 401, a named user
    /// has still to show a credential.
    private func isSilent(_ head: ResponseHead) -> Bool {
        Self.silent.contains(head.statusCode) || policy.partition != nil && head.statusCode == 401
    }

    private static let silent: Set = [407, 408, 421, 425, 428, 429, 431]

    private var rule: StorageRule {
        StorageRule(request: request, policy: policy, maximumBytes: cache.maximumResponseBytes)
    }

    private func times(since start: Start) -> CacheTimes { CacheTimes(requested: start.time, received: cache.now) }

    /// Whether a response to HEAD shows that the stored content is still that of the resource.
    private func isConfirmed(_ stored: StoredResponse, byHead head: ResponseHead) -> Bool {
        request.method == .head && head.statusCode == 200 && stored.isConfirmed(byHead: head)
    }
}
