// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// The steps of the quickstart, in the order in which a person needs them.
struct Tour {
    private let signIn: SignIn
    private let bin: Bin

    init(of serverURL: String) {
        let signIn = SignIn(at: serverURL)
        self.signIn = signIn
        bin = Bin(serverURL: serverURL, networkInterface: Swifty { $0.use(signIn) })
    }

    /// The lines of `Bin.swift` that the tour prints.
    private static let service = #"""
        struct Bin: WebServiceClient {
            let serverURL: String
            let networkInterface: any NetworkInterface

            func search(for text: String) -> TypedResource<Echo> {
                server.get("anything/\(text)").query("page", 1).decode(Echo.self)
            }
            func missing() -> NetworkResource { server.get("status/404") }
            func account() -> TypedResource<Account> { server.get("bearer").decode(Account.self) }
            func ip() -> NetworkResource { server.get("ip") }
            func log() -> NetworkResource { server.get("stream/3") }
            func archive() -> NetworkResource { server.get("range/\(3_000_000)") }
        }
        """#

    func run() async throws {
        print("A service, one function for each request, against \(bin.serverURL):\n")
        for line in Self.service.split(separator: "\n", omittingEmptySubsequences: false) {
            print(line.isEmpty ? "" : "    \(line)")
        }
        print("\n    let bin = Bin(serverURL: url, networkInterface: Swifty { $0.use(SignIn(at: url)) })\n")
        try await step("a typed load", #"try await bin.search(for: "a/b ü").load()"#, search)
        try await step("an error that helps", "try await bin.missing().load()", explainError)
        try await step("a constraint", "200 simultaneous bin.account().load(), which need a token", loadAccounts)
        try await step("a mock", #"try await bin.ip().mock(file: "ip.json").load()"#, mock)
        try await step("a stream", "for try await line in bin.log().lines() { … }", readLines)
        try await step("a download", "try await bin.archive().onProgress { … }.download(to: path)", download)
        try await step("what a load cost", "try await bin.ip().load().metrics", measure)
        print("Everything worked.")
    }

    private func search() async throws -> String {
        let echo = try await bin.search(for: "a/b ü").load()
        return "\(echo.method) \(echo.url)"
    }

    private func explainError() async throws -> String {
        do throws(SwiftyError) {
            _ = try await bin.missing().load()
            return "the load succeeded, which is wrong"
        } catch {
            return "\(error)"
        }
    }

    private func loadAccounts() async throws -> String {
        let count = 200
        let authenticated = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await bin.account().load().authenticated } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let fetches = await signIn.fetches
        let times = fetches == 1 ? "once" : "\(fetches) times"
        return "\(authenticated) of \(count) authenticated; the token was fetched \(times)"
    }

    private func mock() async throws -> String {
        try await bin.ip().mock(file: "ip.json").load().text().trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func readLines() async throws -> String {
        var lengths: [Int] = []
        for try await line in bin.log().lines() { lengths.append(line.utf8.count) }
        return "\(lengths.count) lines, as they arrived, of \(lengths.map(String.init).joined(separator: ", ")) bytes"
    }

    private func download() async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "swifty-quickstart-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bar = ProgressBar()
        let archive = bin.archive().onProgress { bar.show($0) }
        let file = try await archive.download(to: folder.appending(path: "archive").path)
        return "\(bar.text) \(file.byteCount) bytes; a download that breaks off continues there"
    }

    private func measure() async throws -> String {
        let metrics = try await bin.ip().load().metrics
        guard let transfer = metrics.transfer else { return "no transfer" }
        let phases = [
            ("lookup", transfer.nameLookup), ("connect", transfer.connect), ("TLS", transfer.tls),
            ("first byte", transfer.firstByte), ("transfer", transfer.receive), ("in all", metrics.total),
        ]
        let times = phases.filter { $0.1 > .zero }.map { "\($0.0) \(milliseconds($0.1))" }.joined(separator: ", ")
        return "\(times)\(transfer.isConnectionReused ? "; on a kept connection" : "")"
    }
}

/// A bar of the largest progress that was reported.
private final class ProgressBar: Sendable {
    private let fraction = Mutex(0.0)

    func show(_ progress: TransferProgress) {
        fraction.withLock { $0 = max($0, progress.fraction ?? 0) }
    }

    var text: String {
        let (width, fraction) = (20, fraction.withLock(\.self))
        let filled = Int((fraction * Double(width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(bar) \(Int((fraction * 100).rounded())) %,"
    }
}

/// Runs one step, and prints its title, its code, its result and its duration.
private func step(_ title: String, _ code: String, _ body: () async throws -> String) async throws {
    let start = ContinuousClock.now
    let result = try await body()
    print("▸ \(title)  (\(milliseconds(ContinuousClock.now - start)))")
    print("    \(code)")
    print("    → \(result)\n")
}

private func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
}
