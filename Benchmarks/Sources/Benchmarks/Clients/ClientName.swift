// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The clients, by the names that reports use.
enum ClientName: String, CaseIterable, Codable, ExpressibleByArgument {
    case swifty
    case swiftyClosures = "swifty-closures"
    case swiftyHooks = "swifty-hooks"
    case swiftyLoops = "swifty-2-loops"
    case swiftyExecutor = "swifty-executor"
    case swiftyObserved = "swifty-observed"
    case asyncHTTPClient = "async-http-client"
    case asyncHTTPClientTraced = "async-http-client-traced"
    case asyncHTTPClientFutures = "async-http-client-futures"
    case urlSession = "urlsession"
    case floor = "c-floor"
    /// The command, in transfers that are measured as whole processes.
    case curl
    case reqwest
    case hyper
    case go

    /// The client's type; `nil` for those that are not written in Swift.
    var type: (any BenchmarkClient.Type)? {
        switch self {
        case .swifty: SwiftyClient.self
        case .swiftyClosures: SwiftyClosureClient.self
        case .swiftyHooks: SwiftyHookClient.self
        case .swiftyLoops: SwiftyLoopsClient.self
        case .swiftyExecutor: SwiftyExecutorClient.self
        case .swiftyObserved: SwiftyObservedClient.self
        case .asyncHTTPClient: AsyncHTTPClientClient.self
        case .asyncHTTPClientTraced: AsyncHTTPClientTracedClient.self
        case .asyncHTTPClientFutures: AsyncHTTPClientFutureClient.self
        case .urlSession: URLSessionClient.self
        case .floor, .curl, .reqwest, .hyper, .go: nil
        }
    }

    /// The program of a client in another language, which takes and prints what `load` does; `nil` for the others.
    private var programName: String? {
        switch self {
        case .reqwest, .hyper: "opponent-rust"
        case .go: "opponent-go"
        default: nil
        }
    }

    /// The path of the program that measures the client: this one, unless the client is in another language.
    func program(in bench: Bench) -> String {
        programName.map { bench.opponents.appendingPathComponent($0).path } ?? ChildProcess.myself
    }

    /// Swifty and the clients that it is compared with most.
    static let leading: [ClientName] = [.swifty, .asyncHTTPClient, .floor]
    /// All clients but those with special settings, which differ only under much load.
    static let usual = allCases.filter {
        ![.swiftyLoops, .swiftyExecutor, .swiftyObserved, .asyncHTTPClientTraced, .curl].contains($0)
            && $0.programName == nil
    }

    /// The clients in other languages whose programs were built.
    static func opponents(in bench: Bench) -> [ClientName] {
        allCases.filter { client in
            client.programName != nil && FileManager.default.isExecutableFile(atPath: client.program(in: bench))
        }
    }
}
