// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension ModifiableResource {
    /// Sets how urgent the request is among those that wait to be sent.
    ///
    /// Where nothing has to wait, as in a `Swifty` without limits of admission, it changes nothing; the server is told only by
    /// one that `sendsPriority`.
    @discardableResult
    public func priority(_ priority: NetworkRequest.Priority) -> Self {
        modify { $0.priority = priority }
    }

    /// Adds a label that constraints and interceptors can ask for with ``hasTag(_:)``.
    @discardableResult
    public func tag(_ tag: String) -> Self {
        modify { $0.tags.insert(tag) }
    }

    /// Adds several labels.
    @discardableResult
    public func tags(_ tags: [String]) -> Self {
        modify { $0.tags.formUnion(tags) }
    }

    /// The labels.
    public var tags: Set<String> { draft.tags }

    /// Whether the resource has the label.
    public func hasTag(_ tag: String) -> Bool {
        draft.tags.contains(tag)
    }

    /// Names the request, for errors, metrics and logs.
    @discardableResult
    public func name(_ name: String) -> Self {
        modify { $0.name = name }
    }

    /// Calls the closures of this resource's loads on a queue. `async` loads return to their task instead.
    @discardableResult
    public func deliver(on queue: DispatchQueue) -> Self {
        modify { $0.deliveryQueue = queue }
    }

    /// Says whether constraints may hold this request; they may unless this says `false`.
    @discardableResult
    public func canHaveConstraints(_ flag: Bool) -> Self {
        modify { $0.canHaveConstraints = flag }
    }

    /// Limits the time of the whole call, from `load` to its completion.
    @discardableResult
    public func timeout(_ total: Duration) -> Self {
        timeout(total: total)
    }

    /// Limits the time of the call, of each attempt, and of the phases that are named; the others keep their limits. See
    /// ``NetworkRequest/Timeouts``.
    @discardableResult
    public func timeout(
        total: Duration? = nil,
        attempt: Duration? = nil,
        connect: Duration? = nil,
        firstByte: Duration? = nil,
        idle: Duration? = nil
    ) -> Self {
        let limits = NetworkRequest.Timeouts(
            total: total,
            attempt: attempt,
            connect: connect,
            firstByte: firstByte,
            idle: idle
        )
        return modify { draft in
            let named = [
                ("total", total), ("attempt", attempt), ("connect", connect), ("firstByte", firstByte), ("idle", idle),
            ]
            for (name, limit) in named {
                guard let limit, limit <= .zero else { continue }
                draft.fail(.invalidTimeout, "the time limit \"\(name)\" is \(limit); it must be longer than zero")
            }
            draft.timeouts = limits.merging(draft.timeouts)
        }
    }

    /// Says whether and how failed attempts of this request are repeated, in place of the network interface's policy.
    @discardableResult
    public func retry(_ policy: RetryPolicy) -> Self {
        modify { $0.retryPolicy = policy }
    }

    /// Makes up to so many attempts, by the rules of ``RetryPolicy/standard``.
    @discardableResult
    public func retry(_ maximumAttempts: Int) -> Self {
        retry(RetryPolicy(maximumAttempts: maximumAttempts))
    }

    /// Says whether and how redirects of this request are followed, in place of the network interface's policy.
    @discardableResult
    public func redirects(_ policy: RedirectPolicy) -> Self {
        modify { $0.redirectPolicy = policy }
    }

    /// Sends an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), so that the server does the work once however
    /// often the request arrives, and the request may be repeated with any method.
    ///
    /// - Parameter key: the key; a new one for each load unless given. All attempts of one load have the same key.
    @discardableResult
    public func idempotencyKey(_ key: String? = nil) -> Self {
        modify { draft in
            draft.idempotencyKey = key.map(RequestDraft.IdempotencyKey.fixed) ?? .newForEachLoad
            if let key, !HTTPField.isValidValue(key) || key.isEmpty {
                draft.fail(.invalidHeader, "the idempotency key is empty or contains a control character")
            }
        }
    }

    /// Says which statuses count as success: `[200, 404]`, or `.any`. 200..<300 unless set.
    ///
    /// With another status the load fails with ``SwiftyError/Code/unacceptableStatus``; the error keeps head and body.
    @discardableResult
    public func validate(status: RequestDraft.AcceptedStatuses) -> Self {
        modify { $0.acceptedStatuses = status }
    }

    /// Says which statuses count as success, as a range: `200..<400`.
    @discardableResult
    public func validate(status: some RangeExpression<Int>) -> Self {
        validate(status: RequestDraft.AcceptedStatuses(status))
    }
}
