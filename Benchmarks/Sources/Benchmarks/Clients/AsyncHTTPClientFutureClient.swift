// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// AsyncHTTPClient's futures, which collect the content themselves.
struct AsyncHTTPClientFutureClient: BenchmarkClient {
    private let client: AsyncHTTPClientClient

    init(_ task: LoadTask) async throws {
        client = try await AsyncHTTPClientClient(task)
    }

    func load(_ number: Int) async throws -> Int {
        let url = client.urls[number % client.urls.count]
        var request = try HTTPClient.Request(url: url, method: client.content == nil ? .GET : .POST)
        for (name, value) in client.fields { request.headers.add(name: name, value: value) }
        if let content = client.content {
            request.headers.add(name: "Content-Type", value: LoadTask.contentType)
            request.body = .byteBuffer(content)
        }
        let response = try await client.http.execute(request: request).get()
        guard response.status == .ok else { throw UnexpectedStatus(code: Int(response.status.code)) }
        return try client.count(response.body)
    }

    func shutdown() async throws { try await client.shutdown() }
}
