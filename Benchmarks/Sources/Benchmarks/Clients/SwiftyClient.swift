// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation
import Swifty
import SwiftyCurl

/// The whole DSL and pipeline, with `async` load.
struct SwiftyClient: BenchmarkClient {
    let transport: CurlTransport
    private let swifty: Swifty
    private let servers: [BaseResource]
    private let path: String
    private let fields: [String: String]
    private let content: Data?
    private let decodes: Bool

    init(_ task: LoadTask) async throws {
        try self.init(task, loops: nil)
    }

    init(
        _ task: LoadTask,
        loops: Int? = nil,
        constraints: [Constraint] = [],
        interceptors: [any RequestInterceptor] = [],
        hooks: [any Swifty.Hook] = []
    ) throws {
        let patience = Duration.seconds(LoadTask.patience)
        transport = CurlTransport(configuration: Self.configuration(task, loops))
        let interface = Swifty(transport: transport) {
            $0.timeouts = NetworkRequest.Timeouts(connect: patience, idle: patience)
            $0.use(constraints)
            $0.use(interceptors)
            $0.use(hooks)
        }
        let targets = try task.urls.map { try TargetURI($0) }
        swifty = interface
        servers = targets.map { BaseResource($0.origin, networkInterface: interface) }
        path = String(targets[0].path.dropFirst())
        fields = task.fields
        content = try task.content
        decodes = task.decodes
    }

    /// As many connections as there are loads in flight, all of them kept.
    private static func configuration(_ task: LoadTask, _ loops: Int?) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        if let loops { configuration.loops = loops }
        configuration.maximumIdleConnections = 16_384
        configuration.maximumConcurrentStreams = max(100, task.mostInFlight)
        if task.isHTTP1 { configuration.settings.connections.version = .http1_1 }
        if let authority = task.authority { configuration.settings.tls.trust = .file(authority) }
        return configuration
    }

    /// A newly built request with this number.
    func resource(_ number: Int) -> NetworkResource {
        let server = servers[number % servers.count]
        guard let content else { return server.get(path).headers(fields) }
        return server.post(path).data(content, contentType: LoadTask.contentType).headers(fields)
    }

    func load(_ number: Int) async throws -> Int {
        let response = try await resource(number).load()
        return try count(response.data)
    }

    /// The size of the content, which is decoded if the task says so.
    func count(_ content: Data?) throws -> Int {
        guard let content else { return 0 }
        if decodes { try Answer.decode(content) }
        return content.count
    }

    func shutdown() async throws { await swifty.shutdown() }
}
