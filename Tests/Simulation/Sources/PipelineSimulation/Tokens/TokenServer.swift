// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty
@testable import SwiftyTransport

/// The authorization server of a history, its API, and a server that has nothing to do with both, as a transport.
// Safety: the one thread of the simulation uses it.
final class TokenServer: Transport, @unchecked Sendable {
    private unowned let history: TokenHistory
    var authority = TokenAuthority()
    private var isShutDown = false
    private(set) var openCount = 0

    init(_ history: TokenHistory) {
        self.history = history
    }

    var capabilities: TransportCapabilities { TransportCapabilities(rawValue: .max) }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue) }
        openCount += 1
        defer { openCount -= 1 }
        let open = OpenRequest()
        if request.target.path == "/token" {
            return try await sendTokenRequest(request, open, cancellation)
        }
        let load = request.headers[.loadNumber].flatMap { Int($0) } ?? 0
        history.requestArrives(request, load)
        respond(to: request, history.plan.loads[load], open)
        let result = await open.value(of: request, cancellation, history.world)
        note(result, of: load, sentWith: request.bearerToken)
        return try result.get()
    }

    func shutdown() async {
        isShutDown = true
    }

    // MARK: The API

    private func respond(to request: NetworkRequest, _ load: TokenPlan.Load, _ open: OpenRequest) {
        let (world, token) = (history.world, request.bearerToken)
        let isRefused = history.plan.refusesAll || token.map { authority.isExpired($0, at: world.now) } ?? false
        let isPublic = load.kind != .ordinary || request.target.origin != TokenHistory.api
        world.after(load.delay.milliseconds) { [self] in
            guard open.result == nil else { return }
            open.isProcessed = true
            let isAccepted = isPublic || token.map { authority.accepts($0) && !isRefused } ?? false
            open.end(isAccepted ? outcome(of: load, isPublic: isPublic) : .success(Self.unauthorized))
        }
    }

    private func outcome(of load: TokenPlan.Load, isPublic: Bool) -> Result<TransportResponse, SwiftyError> {
        switch load.outcome {
        case .redirect where isPublic: .success(.json(200, "{}"))
        case .success: .success(.json(200, "{}"))
        case .unavailable: .success(.json(503, "{}"))
        case .lost: .failure(SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent))
        case .redirect: .success(.json(307, "{}", [.location: "\(TokenHistory.other)/r"]))
        }
    }

    private static let unauthorized = TransportResponse.json(401, "{}", [.wwwAuthenticate: "Bearer"])

    private func note(_ result: Result<TransportResponse, SwiftyError>, of load: Int, sentWith token: String?) {
        let status = (try? result.get())?.head.statusCode ?? 0
        let event: TokenEvent = status == 0 ? .failed : status == 401 ? .requestRefused : .responded
        history.world.note(event, load, status, "the response to load \(load): \(status)")
        history.runs[load].isSent = false
        history.runs[load].lastEvent = history.world.now
        if status == 401, let token { history.noteRefusal(of: token, toLoad: load) }
    }

    // MARK: Keys

    /// Fetches a key, for a caller that gets it even if it does not wait any more.
    func fetchKey() async throws -> String {
        let number = authority.begin(nil, code: nil)
        history.tokenRequestArrives(number)
        let answer = number < history.plan.answers.count ? history.plan.answers[number] : .plain
        let (plan, world) = (history.plan, history.world)
        await world.pause(answer.delays.0)
        var issued: TokenAuthority.Issued?
        if answer.fault == .none {
            issued = authority.issue(number, lifetime: plan.lifetime, rotates: plan.rotates, world.now)
        }
        await world.pause(answer.delays.1)
        world.note(TokenEvent.tokenRequestEnds, number, 0, "key \(number) is fetched: \(issued?.access ?? "none")")
        guard let issued else { throw FlightFailure(flight: number) }
        history.keyArrives(issued.access)
        return "Bearer \(issued.access)"
    }

    // MARK: The token endpoint

    private func sendTokenRequest(
        _ request: NetworkRequest,
        _ open: OpenRequest,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let fields = request.formFields
        let number = authority.begin(fields["refresh_token"], code: fields["code"])
        history.tokenRequestArrives(number)
        let answer = number < history.plan.answers.count ? history.plan.answers[number] : .plain
        if answer.fault == .unreachable {
            open.end(.failure(SwiftyError(.connectionFailed, stage: .connect)))
        } else {
            play(answer, number, open)
        }
        let result = await open.value(of: request, cancellation, history.world)
        authority.calls[number].isOpen = false
        return try result.get()
    }

    private func play(_ answer: TokenPlan.Answer, _ number: Int, _ open: OpenRequest) {
        let world = history.world
        world.after(answer.delays.0.milliseconds) { [self] in
            guard open.result == nil else { return }
            open.isProcessed = true
            let response = process(answer.fault, number)
            world.after(answer.delays.1.milliseconds) {
                switch answer.fault {
                case .silent: break
                case .lost:
                    open.end(.failure(SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)))
                default: open.end(.success(response))
                }
            }
        }
    }

    private func process(_ fault: TokenPlan.Fault, _ number: Int) -> TransportResponse {
        switch fault {
        case .unavailable: return .json(503, "{}")
        case .refused: return .json(401, #"{"error":"invalid_client"}"#)
        case .malformed: return .json(200, #"{"token":"a"}"#)
        case .none, .unreachable, .lost, .silent: break
        }
        let plan = history.plan
        guard let issued = authority.issue(number, lifetime: plan.lifetime, rotates: plan.rotates, history.world.now)
        else {
            history.world.note(TokenEvent.tokenRefused, number, 0, "token request \(number) is refused")
            return .json(400, #"{"error":"invalid_grant"}"#, [.number: "\(number)"])
        }
        history.world.note(TokenEvent.tokenIssued, number, 0, "token request \(number) gets \(issued.access)")
        var members = [#""access_token":"\#(issued.access)""#, #""token_type":"Bearer""#]
        if let lifetime = plan.lifetime { members.append(#""expires_in":\#(lifetime)"#) }
        if let refresh = issued.refresh { members.append(#""refresh_token":"\#(refresh)""#) }
        return .json(200, "{\(members.joined(separator: ","))}", [.number: "\(number)"])
    }
}

extension World {
    /// Waits, also if the task is cancelled.
    fileprivate func pause(_ milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            _ = after(milliseconds.milliseconds) { continuation.resume() }
        }
    }
}

extension TransportResponse {
    fileprivate static func json(_ status: Int, _ text: String, _ headers: HTTPFields = [:]) -> TransportResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        return TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data(text.utf8))
    }
}

extension NetworkRequest {
    /// The token that the request carries; `nil` if it carries none.
    var bearerToken: String? { headers[.authorization].map { String($0.dropFirst("Bearer ".count)) } }

    /// The fields of a token request. None of them has an encoded character.
    fileprivate var formFields: [String: String] {
        let pairs = String(decoding: content.data ?? Data(), as: UTF8.self).split(separator: "&")
        return pairs.reduce(into: [:]) { fields, pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
    }
}
