// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTestServers
import Synchronization

/// A demonstration: an API type, loaded in every way over real sockets.
@main
enum Quickstart {
    static func main() async {
        do {
            let server = try await chooseServer()
            print("Swifty quickstart, against \(Bin.serverURL)\n")
            try await run()
            await server?.stop()
        } catch {
            print("\nThe quickstart failed: \(error)")
            exit(1)
        }
    }

    /// The server of `--server URL`, or an embedded one on a free port.
    private static func chooseServer() async throws -> LoopbackServer? {
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--server") {
            guard option + 1 < arguments.count else {
                print("usage: quickstart [--server URL]")
                exit(64)
            }
            Bin.baseURL.withLock { $0 = arguments[option + 1] }
            return nil
        }
        let server = try LoopbackServer()
        Bin.baseURL.withLock { $0 = server.url }
        return server
    }

    private static func run() async throws {
        try await step("GET, as a response", "Bin.ip().load()") {
            let response = try await Bin.ip().load()
            return "\(response.statusCode ?? 0) \(oneLine(try response.text())); \(phases(response.metrics))"
        }
        try await step("POST of JSON with a header", "Bin.createUser(user).load()") {
            let response = try await Bin.createUser(User(name: "Ada")).load()
            let echo = try response.json() as? [String: Any]
            let header = (echo?["headers"] as? [String: Any])?["My"] ?? "none"
            return "the server saw \(echo?["data"] ?? "nothing") and My: \(header)"
        }
        try await step("GET, decoded to a type", "Bin.search(for: \"a/b ü\").load()") {
            let echo = try await Bin.search(for: "a/b ü").load()
            return "\(echo.method) \(echo.url), args \(echo.args)"
        }
        try await step("200 loads behind an OAuth constraint", "200 simultaneous Bin.account().load()", loadAccounts)
        try await step("a mocked load", "Bin.ip().mock(file: \"ip.json\").load()") {
            oneLine(try await Bin.ip().mock(file: "ip.json").load().text())
        }
        try await step("an error that explains itself", "Bin.missing().load()", explainError)
        try await step(
            "a closure on a background queue",
            "Bin.ip().deliver(on: queue).load { response, data, error in … }",
            deliverOnQueue
        )
        print("\nEverything worked.")
    }

    private static func loadAccounts() async throws -> String {
        let count = 200
        let start = ContinuousClock.now
        let authenticated = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await Bin.account().load().authenticated } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = Int(Double(count) / seconds)
        return
            "\(authenticated) of \(count) authenticated, the token was fetched \(TokenStore.shared.fetches) time(s), "
            + "\(rate) requests/s"
    }

    private static func explainError() async throws -> String {
        do throws(SwiftyError) {
            _ = try await Bin.missing().load()
            return "the load succeeded, which is wrong"
        } catch {
            return "\(error)"
        }
    }

    private static func deliverOnQueue() async -> String {
        let queue = DispatchQueue(label: "com.background.processing")
        let key = DispatchSpecificKey<String>()
        queue.setSpecific(key: key, value: queue.label)
        return await withCheckedContinuation { continuation in
            Bin.ip().deliver(on: queue).load { response, data, error in
                let place = DispatchQueue.getSpecific(key: key) ?? "another queue"
                let outcome = error?.description ?? "\(response?.statusCode ?? 0), \(data?.count ?? 0) bytes"
                continuation.resume(returning: "\(outcome), on \(place)")
            }
        }
    }
}

/// Runs one step and prints its title, its code, its result and its duration.
func step(_ title: String, _ code: String, _ body: () async throws -> String) async throws {
    let start = ContinuousClock.now
    let result = try await body()
    print("▸ \(title)  (\(milliseconds(ContinuousClock.now - start)))")
    print("    \(code)")
    print("    → \(result)\n")
}

/// The durations of the phases of a load.
func phases(_ metrics: LoadMetrics) -> String {
    guard let transfer = metrics.transfer else { return "no transfer" }
    let phases = [
        ("lookup", transfer.nameLookup), ("connect", transfer.connect), ("TLS", transfer.tls),
        ("first byte", transfer.firstByte), ("transfer", transfer.receive),
    ]
    return phases.filter { $0.1 > .zero }.map { "\($0.0) \(milliseconds($0.1))" }.joined(separator: ", ")
}

func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
}

func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
