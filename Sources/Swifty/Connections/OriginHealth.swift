// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Whether a server can be used, for the health check of a service; see ``Swifty/health(of:within:)-(String,_)``.
public struct OriginHealth: Sendable {
    /// The origin, such as `https://example.com`.
    public let origin: String
    /// The reason for which it cannot be used; `nil` if it can.
    public let error: SwiftyError?
    /// The state of its circuit breaker.
    public let circuit: AdmissionPolicy.CircuitBreaker.State
    /// The time that the check took.
    public let duration: Duration

    /// Whether the server can be used: the check succeeded, and its circuit breaker is not open.
    public var isHealthy: Bool { error == nil && circuit != .open }
}

extension Swifty {
    /// Checks whether a server accepts connections; sends no request.
    ///
    ///     let health = await swifty.health(of: "https://inventory.example.com", within: .milliseconds(500))
    ///
    /// A connection that is kept alive counts, unless the server has closed it; without one, one is opened and kept.
    /// While as many connections as ``TransportSettings/Connections/maximumPerHost`` allows are in use, the check waits
    /// for one of them: give it more time than a response takes.
    ///
    /// - Parameters:
    ///   - origin: An absolute URL such as `https://example.com`; its path does not matter.
    ///   - limit: The time after which the check fails.
    public func health(of origin: String, within limit: Duration = .seconds(1)) async -> OriginHealth {
        await health(of: (try? TargetURI(origin))?.origin ?? origin, within: limit) { () async throws(SwiftyError) in
            try await prewarm(origin)
        }
    }

    /// Checks whether a server answers a request, such as that of a health check, with an accepted status.
    ///
    ///     let health = await swifty.health(of: server.get("health"))
    ///
    /// The request passes all hooks and limits of loads. It is neither retried nor hedged, and no stored response is
    /// used.
    ///
    /// - Parameters:
    ///   - resource: The request, which is copied.
    ///   - limit: The time after which the check fails.
    public func health(of resource: NetworkResource, within limit: Duration = .seconds(1)) async -> OriginHealth {
        let request = resource.copy().retry(.none).hedging(.none).cache(.none)
        let origin = request.draft.target?.origin ?? ""
        return await health(of: origin, within: limit) { () async throws(SwiftyError) in
            _ = try await request.load()
        }
    }

    private func health(
        of origin: String,
        within limit: Duration,
        _ check: () async throws(SwiftyError) -> Void
    ) async -> OriginHealth {
        let start = environment.clock.now()
        let failure = await withDeadline(limit) { () async -> SwiftyError? in
            do throws(SwiftyError) {
                try await check()
                return nil
            } catch {
                return error
            }
        }
        return OriginHealth(
            origin: origin,
            error: failure,
            circuit: environment.currentAdmissions.circuit(of: origin),
            duration: environment.clock.now() - start
        )
    }
}
