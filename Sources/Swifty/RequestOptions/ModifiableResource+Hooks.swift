// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Logging

/// Hooks and settings of one request, for requests that a `Swifty` loads.
extension ModifiableResource {
    /// Adds hooks that take part in the loads of this request alone: constraints, interceptors, challenge handlers,
    /// signers, observers.
    ///
    ///     server.get("accounts").use(Approval.shared, Audit())
    ///
    /// Those of a service are added in its `configure(_:)`. They run after the hooks of the `Swifty`, in the order of
    /// the calls; only challenge handlers are asked before those of the `Swifty`. Constraints are all asked
    /// simultaneously. The hooks of a load are those of its beginning: an interceptor or a retry policy adds none.
    ///
    /// Requests share the flights of a constraint, and a load of a constraint passes it, if they have the same object,
    /// equal values of a `Hashable` type, or a value without stored properties. Any other value fails the load with
    /// ``SwiftyError/Code/invalidSettings``. A load that another hook makes does not run the hooks of the same type
    /// that its request has.
    @discardableResult
    public func use(_ hooks: any Swifty.Hook...) -> Self {
        use(hooks)
    }

    /// Adds the hooks of an array, in their order; see ``use(_:)-(Swifty.Hook...)``.
    @discardableResult
    public func use(_ hooks: [any Swifty.Hook]) -> Self {
        modify { draft in
            for hook in hooks {
                if let name = hook.unidentifiableConstraint {
                    let reason = "the constraint \(name) of a request must be a class, an actor or Hashable"
                    draft.fail(.invalidSettings, reason)
                }
            }
            draft.changeRequestOptions { $0.hooks += hooks }
        }
    }

    /// Sets the credential of this request, for its own origin.
    ///
    ///     server.get("status").authentication(.digest(user: "me", password: password))
    ///
    /// Basic and Bearer are sent at once, Digest when the server asks for it. After a refusal, challenge handlers and
    /// the ``CredentialStore`` are asked. It is not sent to another origin, to which a redirect may lead, nor if the
    /// request has its own `Authorization` field.
    ///
    /// - Parameter credential: The credential; `nil` removes an earlier one.
    @discardableResult
    public func authentication(_ credential: CredentialStore.Credential?) -> Self {
        modify { draft in draft.changeRequestOptions { $0.credential = credential } }
    }

    /// Sets a user name and a password for Digest access authentication (RFC 7616), which the server asks for.
    ///
    /// The same as `authentication(.digest(user:password:))`.
    @discardableResult
    public func digestAuthentication(user: String, password: String) -> Self {
        authentication(.digest(user: user, password: password))
    }

    /// Sets the cookie store of this request, in place of that of the `Swifty`; `nil` for none.
    @discardableResult
    public func cookies(_ jar: CookieJar?) -> Self {
        modify { draft in draft.changeRequestOptions { $0.cookies = .own(jar) } }
    }

    /// Sets the decoding of compressed content and its limits, in place of those of the `Swifty`.
    @discardableResult
    public func contentDecoding(_ decoding: Swifty.ContentDecoding) -> Self {
        modify { draft in draft.changeRequestOptions { $0.contentDecoding = decoding } }
    }

    /// Sets the logger of the loads of this request, in place of that of the `Swifty` and of that of the task.
    ///
    ///     server.get("orders").logger(context.logger)
    ///
    /// Its lines and levels are those of ``Swifty/Configuration/logging``.
    @discardableResult
    public func logger(_ logger: Logger) -> Self {
        modify { draft in draft.changeRequestOptions { $0.logger = logger } }
    }

    /// Sets whether a second request is sent if the response is slow, in place of the setting of the `Swifty`; see
    /// ``HedgingPolicy``.
    @discardableResult
    public func hedging(_ policy: HedgingPolicy) -> Self {
        modify { draft in draft.changeRequestOptions { $0.hedging = policy } }
    }

    /// Sets how the ``ResponseCache`` of the `Swifty` is used, in place of the policy of the `Swifty`.
    ///
    ///     server.get("prices").cache(.reload)
    ///
    /// A `Swifty` without a cache stores nothing; ``CachePolicy/reload`` and ``CachePolicy/revalidate`` still ask the
    /// caches on the way to pass the request on.
    @discardableResult
    public func cache(_ policy: CachePolicy) -> Self {
        modify { draft in draft.changeRequestOptions { $0.cache = policy } }
    }

    /// Limits the size of the response's content in memory, in bytes, as it arrives and decoded.
    ///
    /// Larger content ends the transfer with ``SwiftyError/Code/responseTooLarge``. The limits of the `Swifty` and its
    /// transport also apply. Of a stream or a download, whose content is not held in memory, it limits nothing.
    ///
    /// - Parameter limit: The limit; zero or less fails the load with ``SwiftyError/Code/invalidSettings``.
    @discardableResult
    public func contentLimit(_ limit: Int) -> Self {
        modify { draft in
            if limit <= 0 { draft.fail(.invalidSettings, "the limit of \(limit) bytes of content is not positive") }
            draft.changeRequestOptions { $0.contentLimit = limit }
        }
    }
}

/// Values that are no hooks, unavailable, so that the compiler says what a hook is.
extension ModifiableResource {
    /// Not available: a closure is no hook.
    @available(*, unavailable, message: "a closure is no hook: use a type that conforms to RequestInterceptor")
    @_disfavoredOverload
    @discardableResult
    public func use(_ closure: (NetworkResource) async throws -> NetworkResource) -> Self { self }
}
