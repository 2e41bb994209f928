// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A clean release build of a package that only depends on a library.
struct CompileWorkload: Workload {
    let name = "clean-build"
    let title = "a clean release build of the library with its dependencies"
    let contestants = [ClientName.swifty.rawValue, ClientName.asyncHTTPClient.rawValue]
    let compared: [Metric] = [.seconds]
    let mostTurns = 1
    let isOptional = true

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for client in order {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "swifty-bench-\(getpid())-\(client)"
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            try makePackage(in: folder, client, bench)
            try ChildProcess.output(of: ["swift", "package", "--package-path", folder.path, "resolve"])
            let start = ContinuousClock.now
            try ChildProcess.output(of: ["swift", "build", "-c", "release", "--package-path", folder.path])
            figures[client] = [.seconds: (ContinuousClock.now - start) / .seconds(1)]
        }
        return figures
    }

    private func makePackage(in folder: URL, _ client: String, _ bench: Bench) throws {
        let sources = folder.appendingPathComponent("Sources/User")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let isSwifty = client == ClientName.swifty.rawValue
        let module = isSwifty ? "Swifty" : "AsyncHTTPClient"
        try Data("import \(module)\n".utf8).write(to: sources.appendingPathComponent("User.swift"))
        let dependency =
            isSwifty
            ? #".package(name: "swifty", path: "\#(bench.project.path)")"#
            : #".package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0")"#
        let manifest = """
            // swift-tools-version:6.2
            import PackageDescription
            let package = Package(
                name: "user", platforms: [.macOS(.v15)], dependencies: [\(dependency)],
                targets: [.target(name: "User", dependencies: [
                    .product(name: "\(module)", package: "\(isSwifty ? "swifty" : "async-http-client")"),
                ])]
            )
            """
        try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    }
}
