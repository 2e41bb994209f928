// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The clients, by the names that reports use.
enum ClientName: String, CaseIterable, Codable, ExpressibleByArgument {
    case swifty
    case swiftyClosures = "swifty-closures"
    case swiftyHooks = "swifty-hooks"
    case swiftyLoops = "swifty-2-loops"
    case swiftyExecutor = "swifty-executor"
    case asyncHTTPClient = "async-http-client"
    case asyncHTTPClientFutures = "async-http-client-futures"
    case urlSession = "urlsession"
    case floor = "c-floor"
    /// The command, in transfers that are measured as whole processes.
    case curl

    /// The client's type; `nil` for the floor and for the command, which are written in C.
    var type: (any BenchmarkClient.Type)? {
        switch self {
        case .swifty: SwiftyClient.self
        case .swiftyClosures: SwiftyClosureClient.self
        case .swiftyHooks: SwiftyHookClient.self
        case .swiftyLoops: SwiftyLoopsClient.self
        case .swiftyExecutor: SwiftyExecutorClient.self
        case .asyncHTTPClient: AsyncHTTPClientClient.self
        case .asyncHTTPClientFutures: AsyncHTTPClientFutureClient.self
        case .urlSession: URLSessionClient.self
        case .floor, .curl: nil
        }
    }

    /// Swifty and the clients that it is compared with most.
    static let leading: [ClientName] = [.swifty, .asyncHTTPClient, .floor]
    /// All clients but those with special settings, which differ only under much load.
    static let usual = allCases.filter { ![.swiftyLoops, .swiftyExecutor, .curl].contains($0) }
}
