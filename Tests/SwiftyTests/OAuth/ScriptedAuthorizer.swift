// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport

/// A clock whose waits take no time: it notes each of them, and continues at its end.
final class NotingClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private let state = Mutex((now: ContinuousClock.now, waits: [Duration]()))
    private let onWait: @Sendable (Int) async throws -> Void

    /// - Parameter onWait: Is called with the number of each wait.
    init(onWait: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.onWait = onWait
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// The waits so far, in seconds.
    var waits: [Double] { state.withLock { $0.waits.map { $0 / .seconds(1) } } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.waits.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
            return state.waits.count
        }
        try await onWait(number)
        try Task.checkCancellation()
    }
}

/// A `Swifty` whose users wait by another clock; its own limits do not.
struct WaitingInterface: NetworkInterface {
    let base: Swifty
    let clock: any Clock<Duration>
    var usesScopedTransports: Bool { true }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        await base.load(draft, cancellation: cancellation)
    }
}

/// An authorization server that responds as a test says, and notes what it is sent.
final class ScriptedAuthorizer: Sendable {
    /// A response, or a failure of the network.
    enum Step: Sendable {
        case json(String, status: Int = 200)
        case failure(SwiftyError.Code, timeLimit: SwiftyError.TimeLimit? = nil)
        case token
        case device(String = "")

        static func error(_ code: String, message: String = "") -> Step {
            .json(#"{"error":"\#(code)","error_description":"\#(message)"}"#, status: 400)
        }
    }

    static let device =
        #""device_code":"device-secret","user_code":"WDJB-MJHT","verification_uri":"https://auth.example.com/device""#

    let transport: StubTransport
    let logs = Transcript()

    /// - Parameters:
    ///   - steps: The responses in their order; the last one is repeated.
    ///   - onRequest: Is called with the number of each request before its response.
    init(_ steps: Step..., onRequest: @escaping @Sendable (Int) async -> Void = { _ in }) {
        let count = Counter()
        transport = StubTransport { _ in
            let number = count.increment()
            await onRequest(number)
            return try Self.response(steps[min(number, steps.count) - 1])
        }
    }

    private static func response(_ step: Step) throws -> TransportResponse {
        let (text, status) =
            switch step {
            case .json(let text, let status): (text, status)
            case .failure(let code, let timeLimit):
                var error = SwiftyError(code, stage: .connect)
                error.timeLimit = timeLimit
                throw error
            case .token:
                (#"{"access_token":"access-secret","refresh_token":"refresh-secret","expires_in":3600}"#, 200)
            case .device(let rest): ("{\(device)\(rest.isEmpty ? #","expires_in":600"# : rest)}", 200)
            }
        return TransportResponse(head: ResponseHead(statusCode: status), content: Data(text.utf8))
    }

    /// The form fields of each request.
    var forms: [[String: String]] {
        transport.requests.map { request in
            let fields = QueryParameters(form: request.content.data ?? Data())
            return Dictionary(fields.all.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }

    func oauth(
        secret: String? = nil,
        grant: OAuth2.Grant = .refreshToken(),
        scope: String? = nil,
        storage: (any OAuth2.TokenStorage)? = nil,
        clock: any Clock<Duration> = NotingClock()
    ) -> OAuth2 {
        let swifty = Swifty(transport: transport) { [logs] in
            $0.logger = Logger(label: "test") { _ in TranscriptLog(logs) }
            $0.use(logs)
        }
        return OAuth2(
            tokenURL: "https://auth.example.com/token",
            clientID: "tool",
            clientSecret: secret,
            grant: grant,
            scope: scope,
            for: "https://api.example.com",
            storage: storage,
            through: WaitingInterface(base: swifty, clock: clock)
        )
    }
}
