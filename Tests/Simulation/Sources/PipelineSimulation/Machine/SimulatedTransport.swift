// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import SwiftyTransport

/// A transport without sockets, whose servers do what the resources of a plan say. It keeps a record of each transfer.
// Safety: the one thread of the simulation uses it.
final class SimulatedTransport: Transport, @unchecked Sendable {
    private unowned let history: PipelineHistory
    private var isShutDown = false
    private var requestCounts: [Int: Int] = [:]
    /// Those that have not ended.
    private(set) var open: [Transfer] = []
    private(set) var count = 0

    init(_ history: PipelineHistory) {
        self.history = history
    }

    var capabilities: TransportCapabilities { TransportCapabilities(rawValue: .max) }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let transfer = try await begin(request, cancellation, isStreamed: false)
        return try await transfer.response()
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let transfer = try await begin(request, cancellation, isStreamed: true)
        let head = try await transfer.finalHead()
        return StreamedResponse(head: head, content: SimulatedContent(transfer))
    }

    func shutdown() async {
        isShutDown = true
        for transfer in open { transfer.end(SwiftyError(.shutdown, stage: .firstByte, sent: transfer.sent)) }
    }

    /// From now on servers answer rightly.
    func endFaults() {
        for transfer in open { transfer.endFaults() }
    }

    private func begin(
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation,
        isStreamed: Bool
    ) async throws(SwiftyError) -> Transfer {
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue) }
        count += 1
        var call = RequestCall(request, number: count, isStreamed: isStreamed)
        call.isCancelled = cancellation.code != nil
        history.requestArrives(call)
        let index = requestCounts[call.resource, default: 0]
        requestCounts[call.resource] = index + 1
        let resource = history.plan.resources[call.resource]
        let answer = history.isHealthy ? Answer(time: 5, partTime: 0, kind: .content) : resource.answer(index)
        let transfer = Transfer(call, answer, SimulatedServer(plan: resource, index: index), history)
        let reaches = if case .refused = answer.kind { false } else { true }
        if reaches { transfer.quotaReport = history.countQuota(of: call) }
        open.append(transfer)
        transfer.cancellation = cancellation
        transfer.onEnd = { [unowned self] in open.removeAll { $0 === transfer } }
        do throws(SwiftyError) {
            history.checkContent(try await request.collectingContent(), of: call)
            transfer.start()
        } catch {
            transfer.end(error)
        }
        return transfer
    }
}

/// A request as a server sees it.
struct RequestCall {
    /// What is under the URL, by its path.
    enum Kind: Character {
        case plain = "r"
        case file = "f"
        case events = "e"
    }

    let number: Int
    let request: NetworkRequest
    let isStreamed: Bool
    /// Whether its load had ended before the transport got it.
    var isCancelled = false
    /// The load that has sent it; with a shared transfer, the first of them.
    let load: Int
    let resource: Int
    let kind: Kind

    init(_ request: NetworkRequest, number: Int, isStreamed: Bool) {
        self.request = request
        self.number = number
        self.isStreamed = isStreamed
        load = request.headers[.loadNumber].flatMap { Int($0) } ?? -1
        resource = Int(request.target.path.drop { !$0.isNumber }) ?? 0
        kind = request.target.path.first { $0 != "/" }.flatMap { Kind(rawValue: $0) } ?? .plain
    }
}

extension HTTPField.Name {
    /// Names the load, and is ignored when requests are compared.
    static let loadNumber = literal("X-Request-ID")
    /// The credential.
    static let credential = literal("X-Credential")
    static let rateLimit = literal("RateLimit")
}
