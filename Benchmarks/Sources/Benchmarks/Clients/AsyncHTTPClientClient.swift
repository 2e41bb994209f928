// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// AsyncHTTPClient's `async` interface.
struct AsyncHTTPClientClient: BenchmarkClient {
    let http: HTTPClient
    let urls: [String]
    let fields: [String: String]
    let content: ByteBuffer?
    let decodes: Bool

    init(_ task: LoadTask) async throws {
        try self.init(task, try Self.configuration(task))
    }

    init(_ task: LoadTask, _ configuration: HTTPClient.Configuration) throws {
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        urls = task.urls
        fields = task.fields
        content = try task.content.map { ByteBuffer(bytes: $0) }
        decodes = task.decodes
    }

    /// As many connections as there are loads in flight, all of them kept.
    static func configuration(_ task: LoadTask) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(8, task.mostInFlight)
        configuration.timeout.connect = .seconds(LoadTask.patience)
        if task.isHTTP1 { configuration.httpVersion = .http1Only }
        guard let authority = task.authority else { return configuration }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(authority)
        configuration.tlsConfiguration = tls
        return configuration
    }

    func load(_ number: Int) async throws -> Int {
        var request = HTTPClientRequest(url: urls[number % urls.count])
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        if let content {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: LoadTask.contentType)
            request.body = .bytes(content)
        }
        let response = try await http.execute(request, timeout: .seconds(LoadTask.patience))
        guard response.status == .ok else { throw UnexpectedStatus(code: Int(response.status.code)) }
        return try count(try await response.body.collect(upTo: 64 << 20))
    }

    /// The size of the content, which is decoded if the task says so.
    func count(_ content: ByteBuffer?) throws -> Int {
        guard let content else { return 0 }
        if decodes { try Answer.decode(Data(content.readableBytesView)) }
        return content.readableBytes
    }

    func shutdown() async throws { try await http.shutdown() }
}
