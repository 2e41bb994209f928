// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty
@testable import SwiftyTransport

/// The servers of a history, as a transport.
// Safety: the one thread of the simulation uses it.
final class ChallengeServer: Transport, @unchecked Sendable {
    static let content = "content"

    private unowned let history: ChallengeHistory
    private var authorities: [DigestAuthority]
    private(set) var openCount = 0
    /// The number of requests of each load to each server.
    private var counts: [[Int]: Int] = [:]

    init(_ history: ChallengeHistory) {
        self.history = history
        let plan = history.plan
        authorities = plan.servers.enumerated().map { index, server in
            let password = plan.hasOnePassword ? "password" : "password \(index)"
            return DigestAuthority(server, name: "server\(index)", password: password)
        }
    }

    var capabilities: TransportCapabilities { TransportCapabilities(rawValue: .max) }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let load = request.headers[.loadNumber].flatMap { Int($0) } ?? 0
        let server = request.target.host == "server0.example" ? 0 : 1
        let count = counts[[load, server], default: 0]
        counts[[load, server]] = count + 1
        history.world.expect(
            count <= ChallengePolicy.answerLimit,
            "no more challenges are answered than the limit allows",
            "load \(load)"
        )
        openCount += 1
        defer { openCount -= 1 }
        let open = OpenRequest()
        history.world.note(ChallengeEvent.requestSent, load, server, "a request of load \(load) to server \(server)")
        play(request, load, server, count, open)
        return try await open.value(of: request, cancellation, history.world).get()
    }

    func shutdown() async {}

    private func play(_ request: NetworkRequest, _ load: Int, _ server: Int, _ count: Int, _ open: OpenRequest) {
        let (world, delays) = (history.world, history.plan.loads[load].delays)
        let delay = delays[count % delays.count].milliseconds
        world.after(delay) { [self] in
            guard open.result == nil else { return }
            open.isProcessed = true
            let response = response(to: request, load, server)
            world.after(delay) { open.end(.success(response)) }
        }
    }

    private func response(to request: NetworkRequest, _ load: Int, _ server: Int) -> TransportResponse {
        let world = history.world
        let verdict = authorities[server].judge(request, of: load, in: world)
        switch verdict {
        case .accepted(let information):
            let isRedirected = history.plan.loads[load].isRedirected && server == history.plan.loads[load].server
            world.note(
                isRedirected ? ChallengeEvent.redirected : .accepted,
                load,
                server,
                "server \(server) accepts the answer of load \(load)"
            )
            var headers: HTTPFields = information.isEmpty ? [:] : [.information: information]
            if isRedirected { headers[.location] = "\(ChallengeHistory.url(of: 1 - server))/r" }
            let head = ResponseHead(statusCode: isRedirected ? 307 : 200, headers: headers)
            return TransportResponse(head: head, content: Data(Self.content.utf8))
        case .open, .nonceRefused, .passwordRefused:
            let event = ChallengeEvent(verdict)
            let challenge = authorities[server].challenge(isStale: event == .nonceRefused, at: world.now)
            world.note(event, load, server, "server \(server) challenges load \(load), \(event): \(challenge)")
            let head = ResponseHead(statusCode: 401, headers: [.wwwAuthenticate: challenge])
            return TransportResponse(head: head, content: Data())
        }
    }

    /// The password of the client for a server.
    func password(for server: Int) -> String { authorities[server].password }
}

extension ChallengeEvent {
    fileprivate init(_ verdict: DigestAuthority.Verdict) {
        self =
            switch verdict {
            case .accepted: .accepted
            case .open: .challenged
            case .nonceRefused: .nonceRefused
            case .passwordRefused: .passwordRefused
            }
    }
}

extension HTTPField.Name {
    fileprivate static let information = literal("Authentication-Info")
}
