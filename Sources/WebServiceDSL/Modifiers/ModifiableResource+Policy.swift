// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension ModifiableResource {
    /// Sets the priority among requests that wait to be sent.
    ///
    /// It changes nothing where no request waits, as in a `Swifty` without admission limits. The server learns it only
    /// if the configuration of the `Swifty` has `sendsPriority`.
    @discardableResult
    public func priority(_ priority: NetworkRequest.Priority) -> Self {
        modify { $0.priority = priority }
    }

    /// Adds a label that constraints and interceptors can check with ``hasTag(_:)``.
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

    /// Sets the queue of completion closures. It has no effect on an `async` load.
    @discardableResult
    public func deliver(on queue: DispatchQueue) -> Self {
        modify { $0.deliveryQueue = queue }
    }

    /// Sets the constraints that may hold this request; `.all` by default.
    ///
    ///     server.get("status").constraints(.none)
    @discardableResult
    public func constraints(_ selection: ConstraintSelection) -> Self {
        modify { $0.constraints = selection }
    }

    /// Limits the time of the whole call, from `load` to its completion; `nil` for no limit, where the network
    /// interface has one.
    ///
    /// A limit of zero or less fails the load with ``SwiftyError/Code/invalidTimeout``.
    @discardableResult
    public func timeout(_ total: Duration?) -> Self {
        guard let total else {
            return modify { draft in
                draft.timeouts.total = nil
                draft.isUnlimited = true
            }
        }
        return timeout(total: total)
    }

    /// Limits the time of the call, of each attempt, and of phases; `nil` leaves a limit unchanged. See
    /// ``NetworkRequest/Timeouts``.
    ///
    /// A limit of zero or less fails the load with ``SwiftyError/Code/invalidTimeout``.
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
            if total != nil { draft.isUnlimited = false }
        }
    }

    /// Sets the retry policy of this request, in place of the network interface's.
    @discardableResult
    public func retry(_ policy: RetryPolicy) -> Self {
        modify { $0.retryPolicy = policy }
    }

    /// Sets the maximum number of attempts, with everything else as in ``RetryPolicy/standard``.
    @discardableResult
    public func retry(_ maximumAttempts: Int) -> Self {
        retry(RetryPolicy(maximumAttempts: maximumAttempts))
    }

    /// Sets the redirect policy of this request, in place of the network interface's.
    @discardableResult
    public func redirects(_ policy: RedirectPolicy) -> Self {
        modify { $0.redirectPolicy = policy }
    }

    /// Sends an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), with which the server does the work only
    /// once, however often the request arrives. The request may then be repeated whatever its method.
    ///
    /// Each load makes a new key, the same for all of its attempts.
    @discardableResult
    public func idempotencyKey() -> Self {
        modify { $0.idempotencyKey = .newForEachLoad }
    }

    /// Sends a key of yours as `Idempotency-Key`; see ``idempotencyKey()``.
    ///
    /// - Parameter key: The key; `nil` for none. An empty key, or one with a control character, fails the load with
    ///   ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func idempotencyKey(_ key: String?) -> Self {
        modify { draft in
            draft.idempotencyKey = key.map(RequestDraft.IdempotencyKey.fixed)
            if let key, !HTTPField.isValidValue(key) || key.isEmpty {
                draft.fail(.invalidHeader, "the idempotency key is empty or contains a control character")
            }
        }
    }

    /// Sets the statuses that count as success: `[200, 404]`, or `.any`; 200..<300 by default.
    ///
    /// With another status the load fails with ``SwiftyError/Code/unacceptableStatus``; the error keeps head and
    /// content.
    @discardableResult
    public func validate(status: RequestDraft.AcceptedStatuses) -> Self {
        modify { $0.acceptedStatuses = status }
    }

    /// Sets the media types of content that counts as success: `application/json`, or `image/*`; all by default.
    ///
    /// A successful status with content of another type fails the load with
    /// ``SwiftyError/Code/unacceptableContentType``: an `HTML` page in place of JSON, for example. A response without
    /// `Content-Type` is not checked.
    @discardableResult
    public func validate(contentTypes: [String]) -> Self {
        modify { $0.acceptedContentTypes = contentTypes.map { MediaType.essence(of: $0) } }
    }

    /// Sets the statuses that count as success, as a range: `200..<400`.
    @discardableResult
    public func validate(status: some RangeExpression<Int>) -> Self {
        validate(status: RequestDraft.AcceptedStatuses(status))
    }
}
