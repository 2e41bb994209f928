// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// When to ask for the tokens of a device code, and when to stop (RFC 8628 §3.5): event in, decision out.
struct DevicePoll: Sendable {
    private var interval: Duration
    private let deadline: Duration
    /// The number of consecutive requests without a decision of the server.
    private var failures = 0

    private static let longestPause = Duration.seconds(60)
    /// What `slow_down` adds to the interval.
    private static let slowness = Duration.seconds(5)
    /// Codes by which servers say that they cannot respond now; those of RFC 6749 §4.1.2.1.
    private static let transientCodes: Set<String> = ["temporarily_unavailable", "server_error"]

    /// - Parameter start: The time of the device authorization request.
    init(_ authorization: DeviceAuthorization, start: Duration) {
        interval = authorization.interval
        deadline = start + authorization.lifetime
    }

    /// The time until the next request.
    ///
    /// - Throws: ``OAuth2/LoginError/expired`` if the code will have expired by then.
    func wait(at now: Duration) throws(OAuth2.LoginError) -> Duration {
        let rest = deadline - now
        guard interval < rest else { throw .expired }
        let pause = min(interval * (1 << min(failures, 6)), max(interval, Self.longestPause))
        // The last request is made while the code is valid, however long the network has failed.
        return min(pause, max(interval, rest - Self.slowness))
    }

    /// Records the failure of a request.
    ///
    /// - Throws: The error that ends the login.
    mutating func fail(with error: any Error) throws {
        switch error {
        case OAuth2.TokenError.refused(let code, let message): try record(code, message: message, of: error)
        case OAuth2.TokenError.unexpectedResponse(let status, _) where ResponseHead.transientStatuses.contains(status):
            failures += 1
        case let error as SwiftyError where Self.mayPass(error): failures += 1
        default: throw error
        }
    }

    /// Whether the next request may succeed: it has another time limit, unless that is the caller's deadline, and the
    /// circuit breaker may let it through.
    private static func mayPass(_ error: SwiftyError) -> Bool {
        if error.timeLimit == .deadline { return false }
        return error.isTransient || error.isTimeout || error.code == .circuitOpen
    }

    private mutating func record(_ code: String, message: String?, of error: any Error) throws {
        switch code {
        case "authorization_pending": failures = 0
        case "slow_down":
            failures = 0
            interval += Self.slowness
        case "access_denied": throw OAuth2.LoginError.denied(message: message)
        case "expired_token": throw OAuth2.LoginError.expired
        case _ where Self.transientCodes.contains(code): failures += 1
        default: throw error
        }
    }
}
