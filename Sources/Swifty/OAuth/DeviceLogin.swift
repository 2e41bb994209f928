// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One login with a device code, from the request for the code to the tokens.
struct DeviceLogin {
    let session: OAuth2Session
    let url: String
    let fields: [String: String]

    nonisolated(nonsending) func run(
        _ prompt: nonisolated(nonsending) (OAuth2.DevicePrompt) async throws -> Void
    ) async throws {
        let logOuts = session.logOutCount
        let request = session.endpoint.deviceRequest(at: url, fields)
        let clock = request.clock
        let (start, date) = (clock.now(), session.now())
        let authorization = try await session.endpoint.requestDeviceCode(request)
        try await prompt(authorization.prompt(requested: date))
        var poll = DevicePoll(authorization, start: start)
        while true {
            try await clock.sleep(for: CallerDeadline.limited(try poll.wait(at: clock.now())))
            try CallerDeadline.check("the login")
            guard session.logOutCount == logOuts else { throw OAuth2.TokenError.loggedOut }
            do {
                return try await session.logIn(exchanging: .deviceCode(authorization.deviceCode), since: logOuts)
            } catch {
                try poll.fail(with: error)
            }
        }
    }
}
