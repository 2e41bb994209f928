// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's client. On Linux it cannot be given an authority, and is left out where one is needed.
struct URLSessionClient: BenchmarkClient {
    private let session: URLSession
    private let requests: [URLRequest]
    private let decodes: Bool

    private struct UnusableURL: Error {}

    init(_ task: LoadTask) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = max(6, task.mostInFlight)
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = TimeInterval(LoadTask.patience)
        session = URLSession(configuration: configuration)
        requests = try task.urls.map { try Self.request($0, task) }
        decodes = task.decodes
    }

    private static func request(_ url: String, _ task: LoadTask) throws -> URLRequest {
        guard let url = URL(string: url) else { throw UnusableURL() }
        var request = URLRequest(url: url)
        for (name, value) in task.fields { request.setValue(value, forHTTPHeaderField: name) }
        guard let content = try task.content else { return request }
        request.httpMethod = "POST"
        request.setValue(LoadTask.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = content
        return request
    }

    func load(_ number: Int) async throws -> Int {
        let (data, response) = try await session.data(for: requests[number % requests.count])
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw UnexpectedStatus(code: status) }
        if decodes { try Answer.decode(data) }
        return data.count
    }

    func shutdown() async throws { session.finishTasksAndInvalidate() }
}
