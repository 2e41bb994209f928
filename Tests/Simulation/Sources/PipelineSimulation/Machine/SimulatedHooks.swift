// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// Adds the credential, and takes its time.
struct RequestHook: RequestInterceptor {
    let plan: SetupPlan.Hook?
    unowned let history: PipelineHistory

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        if let plan { try await plan.pass(resource.loadNumber, history) }
        guard let credential = history.constraints.first?.credential, credential > 0 else { return resource }
        return resource.header(.credential, "\(credential)")
    }
}

/// Takes its time.
struct ResponseHook: ResponseInterceptor {
    let plan: SetupPlan.Hook
    unowned let history: PipelineHistory

    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        try await plan.pass(-1, history)
        return response
    }
}

/// Asks for further attempts now and then.
struct RepeatingHook: AttemptInterceptor {
    let plan: SetupPlan.AttemptHook
    unowned let history: PipelineHistory

    var maximumAttempts: Int { plan.attempts }

    func intercept(attempt: RetryPolicy.Context) async throws -> RetryPolicy.Decision {
        try await plan.hook.pass(attempt.request?.loadNumber ?? -1, history)
        guard history.hookCount % plan.repeatsEvery == 0 else { return attempt.proposal }
        let number = attempt.request?.loadNumber ?? -1
        history.world.note(.attemptAskedFor, of: number, is: "another attempt of load \(number) is asked for")
        return .retry(after: .planned(plan.hook.time))
    }
}

/// Sends every request to a peer in place of its server.
struct Router: RequestRouter {
    static let peer = HostAndPort(host: "peer.example", port: 443)

    let plan: SetupPlan.Hook
    unowned let history: PipelineHistory

    func route(_ target: TargetURI) async throws -> RequestRoute {
        try await plan.pass(-1, history)
        return .connect(to: Self.peer)
    }
}

/// Signs what is sent.
struct Signer: RequestSigner {
    let plan: SetupPlan.Hook
    unowned let history: PipelineHistory

    func fields(signing request: NetworkRequest) async throws -> HTTPFields {
        try await plan.pass(request.loadNumber, history)
        let digest = try await request.contentDigest()
        return [.signature: request.signature(over: digest)]
    }
}

extension NetworkRequest {
    /// The number of the load; -1 for another one.
    var loadNumber: Int { headers[.loadNumber].flatMap { Int($0) } ?? -1 }

    /// What a signer makes of the request.
    func signature(over digest: String?) -> String {
        let fields = [headers[.authorization], headers[.credential], headers[.range], digest].map { $0 ?? "-" }
        return "\(method.rawValue) \(target.path) \(fields.joined(separator: " "))"
    }
}

extension HTTPField.Name {
    static let signature = literal("X-Signature")
}

/// The error of a hook that throws.
struct HookFailure: Error {}

extension SetupPlan.Hook {
    fileprivate func pass(_ load: Int, _ history: PipelineHistory) async throws {
        history.world.note(.hookBegins, of: load, is: "a hook begins")
        defer { history.world.note(.hookEnds, of: load, is: "a hook ends") }
        if time > 0 { try await history.clock.sleep(for: .planned(time)) }
        if let finish = history.runs[load]?.finish, !history.isLate, history.runs[load]?.isCompound == false {
            // It has come to its end without having been cancelled.
            history.world.expect(
                finish.time >= history.world.now,
                "a hook whose load has ended is cancelled",
                "load \(load)"
            )
        }
        history.hookCount += 1
        if failsEvery > 0, history.hookCount % failsEvery == 0 { throw HookFailure() }
    }
}
