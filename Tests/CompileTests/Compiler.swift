// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Type-checks Swift code with the compiler of this test, against the modules that were built with it.
struct Compiler {
    /// Compiles files.
    ///
    /// - Parameters:
    ///   - files: The code, by file name.
    ///   - mode: The language mode.
    /// - Returns: The compiler's errors and warnings; empty for a program that compiles.
    static func diagnose(_ files: [String: String], mode: String = "6") async throws -> String {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.file(name, text) }
        let options = ["-typecheck", "-swift-version", mode, "-module-cache-path", moduleCache.path]
        let arguments = ["swiftc"] + options + moduleArguments + files.keys.sorted().map(folder.path)
        let run = try await slots.run { try await Program.run("/usr/bin/env", arguments) }
        let text = run.output + run.errors
        if run.status != 0, !text.contains("error:") { throw ExternalProgram.Unavailable(description: text) }
        return text.split(separator: "\n").filter { $0.contains("error:") || $0.contains("warning:") }
            .joined(separator: "\n")
    }

    private static let slots = CompilerSlots(2)

    private static var moduleCache: URL { Program.products.appendingPathComponent("compile-tests-module-cache") }

    /// The packages that this one depends on, beside the folders of the builds.
    private static var checkouts: URL {
        Program.products.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts")
    }

    private static var moduleArguments: [String] {
        let sources = Repository.root.appendingPathComponent("Sources")
        let maps = [
            Program.products.appendingPathComponent("CCurl.build/module.modulemap"),
            sources.appendingPathComponent("CLibcurl/module.modulemap"),
            sources.appendingPathComponent("CZlib/module.modulemap"),
            // Of a package that the command is built with.
            checkouts.appendingPathComponent("swift-numerics/Sources/_NumericsShims/include/module.modulemap"),
            // Of the library of configurations, with its trait.
            checkouts.appendingPathComponent("swift-system/Sources/CSystem/include/module.modulemap"),
        ]
        .filter { FileManager.default.fileExists(atPath: $0.path) }
        return ["-I", Program.products.appendingPathComponent("Modules").path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }
}

/// Runs a few compilers at a time, as many as a small machine has cores.
private actor CompilerSlots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func run<Output: Sendable>(_ body: @Sendable () async throws -> Output) async throws -> Output {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
