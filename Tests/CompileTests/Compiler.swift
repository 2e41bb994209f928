// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Type-checks Swift code with the compiler of this test, against the modules that were built with it.
struct Compiler {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of this test's binary and of the built modules.
    static var products: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    static var packageFolder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Compiles files, on a Dispatch queue because waiting for the compiler blocks.
    ///
    /// - Parameters:
    ///   - files: The code, by file name.
    ///   - mode: The language mode.
    /// - Returns: The compiler's errors and warnings; empty if there are none.
    static func diagnose(_ files: [String: String], mode: String = "6") async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try runCompiler(files, mode) })
            }
        }
    }

    private static func runCompiler(_ files: [String: String], _ mode: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "swifty-compile-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        let output = folder.appendingPathComponent("output.txt")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-typecheck", "-swift-version", mode, "-module-cache-path", moduleCache.path]
        process.arguments? += moduleArguments + files.keys.sorted().map { folder.appendingPathComponent($0).path }
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        if process.terminationStatus != 0, !text.contains("error:") { throw Failure(description: text) }
        return text.split(separator: "\n").filter { $0.contains("error:") || $0.contains("warning:") }.joined(
            separator: "\n"
        )
    }

    private static var moduleCache: URL { products.appendingPathComponent("compile-tests-module-cache") }

    private static var moduleArguments: [String] {
        let sources = packageFolder.appendingPathComponent("Sources")
        let maps = [
            products.appendingPathComponent("CCurl.build/module.modulemap"),
            sources.appendingPathComponent("CLibcurl/module.modulemap"),
            sources.appendingPathComponent("CZlib/module.modulemap"),
        ]
        return ["-I", products.appendingPathComponent("Modules").path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }
}
