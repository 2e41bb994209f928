// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty
@testable import SwiftyTransport

/// The servers of a history, as a transport. A PUT makes a new version of a resource, of which each user sees another
/// content. The field `X-Number` of a response is the number of the request that it answers.
// Safety: the one thread of the simulation uses it.
final class CachingServer: Transport, @unchecked Sendable {
    /// A request that was sent.
    struct Call {
        let load: Int
        let begin: Int64
        /// Whether its response sends the load on to another place.
        let isRedirect: Bool
        /// The time at which its response or its failure was there; `nil` until then.
        var end: Int64?
        /// The version that it has made; `nil` if it has made none.
        var version: Int?
        /// Whether it may have changed something, as far as its load knows.
        var isSent = true
    }

    private unowned let history: CachingHistory
    private(set) var calls: [Call] = []
    private(set) var versions: [Int: Int] = [:]
    /// What the responses to GET have, or would have, by the numbers of the requests.
    private(set) var contents: [Int: String] = [:]
    private var isShutDown = false
    private(set) var openCount = 0
    /// What is being refreshed: resources, users and their credentials.
    private var refreshed: Set<String> = []

    init(_ history: CachingHistory) {
        self.history = history
    }

    var capabilities: TransportCapabilities { TransportCapabilities(rawValue: .max) }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue) }
        let load = request.headers[.loadNumber].flatMap { Int($0) } ?? 0
        let number = calls.count
        calls.append(Call(load: load, begin: history.world.now, isRedirect: request.isForFormerPlace))
        history.requestArrives(request, load)
        let plan = history.plan.loads[load]
        let exchange = OpenRequest()
        openCount += 1
        let refresh = beginRefresh(request, plan)
        defer {
            openCount -= 1
            if let refresh { refreshed.remove(refresh) }
        }
        if plan.fault == .unreachable {
            exchange.end(.failure(SwiftyError(.connectionFailed, stage: .connect)))
        } else {
            play(request, number, plan, exchange)
        }
        let result = await exchange.value(of: request, cancellation, history.world)
        calls[number].end = history.world.now
        if case .failure(let error) = result { calls[number].isSent = error.sent != .notSent }
        history.world.note(
            (try? result.get()) == nil ? CachingEvent.failed : .responded,
            load,
            number,
            "request \(number) ends: \((try? result.get())?.head.statusCode ?? 0)"
        )
        return try result.get()
    }

    func shutdown() async {
        isShutDown = true
    }

    /// Notes that a request refreshes a response that another load has used; `nil` if it does not.
    private func beginRefresh(_ request: NetworkRequest, _ plan: CachingPlan.Load) -> String? {
        let isAlone = history.plan.retries == 0 && history.plan.hedging == nil && !history.plan.hasNeighbour
        guard isAlone, plan.mode == .standard, request.headers[.cacheControl] == "max-age=0" else { return nil }
        let name = "\(request.target.path) \(plan.user) \(plan.credential)"
        let isFirst = refreshed.insert(name).inserted
        history.world.expect(isFirst, "one load at a time refreshes a response", name)
        return name
    }

    private func play(_ request: NetworkRequest, _ number: Int, _ plan: CachingPlan.Load, _ exchange: OpenRequest) {
        let world = history.world
        world.after(plan.delays.0.milliseconds) { [self] in
            guard exchange.result == nil else { return }
            exchange.isProcessed = true
            let response = plan.fault == .unavailable ? Self.unavailable : process(request, number)
            world.note(CachingEvent.processed, plan.resource, number, "request \(number) is processed")
            world.after(plan.delays.1.milliseconds) {
                if plan.fault == .lost {
                    exchange.end(.failure(SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)))
                } else {
                    exchange.end(.success(response))
                }
            }
        }
    }

    private static let unavailable = TransportResponse(
        head: ResponseHead(statusCode: 503, headers: [.contentLength: "0"]),
        content: Data()
    )

    func change(_ index: Int) {
        versions[index, default: 0] += 1
        history.world.note(CachingEvent.changed, index, versions[index, default: 0], "resource \(index) changes")
    }

    private func process(_ request: NetworkRequest, _ number: Int) -> TransportResponse {
        let index = Int(request.target.path.dropFirst(2)) ?? 0
        let resource = history.plan.resources[index]
        if request.method == .put, !request.isForFormerPlace {
            change(index)
            calls[number].version = versions[index]
            return TransportResponse(head: ResponseHead(statusCode: 204), content: Data())
        }
        let plan = request.headers[.loadNumber].flatMap { Int($0) }.map { history.plan.loads[$0] }
        let user = plan.map { "\($0.credential.key) \(request.user(of: $0) ?? "")" } ?? ""
        let language = plan.map(resource.variesByLanguage) ?? false ? request.headers[.acceptLanguage] ?? "" : ""
        let content = "\(index) \(versions[index, default: 0]) \(user) \(language)"
        contents[number] = content
        var headers: HTTPFields = [.cacheControl: resource.cacheControl, .number: "\(number)"]
        if resource.hasTag { headers[.eTag] = "\"\(content)\"" }
        if resource.varies { headers[.vary] = "Accept-Language" }
        if let tag = request.headers[.ifNoneMatch] {
            history.world.expect(
                tag.contains(" \(user) "),
                "a server is asked about a response to the same user",
                "request \(number): \(tag)"
            )
            if tag == headers[.eTag] {
                return TransportResponse(head: ResponseHead(statusCode: 304, headers: headers), content: Data())
            }
        }
        if request.isForFormerPlace {
            headers[.location] = "/r\(index)"
            return TransportResponse(head: ResponseHead(statusCode: 308, headers: headers), content: Data())
        }
        headers[.contentLength] = "\(content.utf8.count)"
        let head = ResponseHead(statusCode: 200, headers: headers)
        return TransportResponse(head: head, content: request.method == .head ? Data() : Data(content.utf8))
    }
}

extension NetworkRequest {
    /// Whether a resource is asked for where it was before.
    fileprivate var isForFormerPlace: Bool { target.path.hasPrefix("/m") }
}

extension CachingPlan.Resource {
    /// Whether the content for a load depends on its language: that of a private response may depend on every field,
    /// unless the load names its user.
    func variesByLanguage(_ load: CachingPlan.Load) -> Bool { varies || isPrivate && load.credential != .named }

    fileprivate var cacheControl: String {
        var directives = ["max-age=\(lifetime)"]
        if isPrivate { directives.append("private") }
        if staleWhileRevalidate > 0 { directives.append("stale-while-revalidate=\(staleWhileRevalidate)") }
        if staleIfError > 0 { directives.append("stale-if-error=\(staleIfError)") }
        return directives.joined(separator: ", ")
    }
}

extension HTTPField.Name {
    /// The number of the request that a response answers.
    static let number = literal("X-Number")
}
