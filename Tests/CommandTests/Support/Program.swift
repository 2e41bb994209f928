// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a program of this package, or another, and collects its output.
struct Program {
    let status: Int32
    let bytes: Data
    let errors: String

    /// The output as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The output as one JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
    }

    /// Runs on a thread of its own, because waiting for the program blocks.
    ///
    /// - Parameters:
    ///   - input: The content of a pipe on its standard input; `nil` connects nothing.
    ///   - interruption: Called every 10 ms until it returns true; then the program gets Ctrl-C.
    static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Data? = nil,
        interruption: (@Sendable () -> Bool)? = nil
    ) async throws -> Program {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let run = Result { try Program(name, arguments, environment, input, interruption) }
                continuation.resume(with: run)
            }
        }
    }

    /// The program `swifty`.
    static func swifty(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: Data? = nil,
        interruption: (@Sendable () -> Bool)? = nil
    ) async throws -> Program {
        try await run("swifty", arguments, environment: environment, input: input, interruption: interruption)
    }

    /// The folder of the package's programs.
    static var products: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    private init(
        _ name: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ input: Data?,
        _ interruption: (() -> Bool)?
    ) throws {
        let folder = try TemporaryFolder()
        let output = try folder.file("output", Data())
        let errors = try folder.file("errors", Data())
        var words = [name.hasPrefix("/") ? name : Self.products.appendingPathComponent(name).path] + arguments
        if let input {
            let file = try folder.file("input", input)
            words = ["/bin/sh", "-c", "cat \"$0\" | \"$@\"", file.path] + words
        }
        let process = try ChildProcess(
            words[0],
            Array(words.dropFirst()),
            output: output.path,
            errors: errors.path,
            environment: environment
        )
        if let interruption {
            while !interruption() { usleep(10_000) }
            kill(process.id, SIGINT)
        }
        status = process.wait()
        bytes = try Data(contentsOf: output)
        self.errors = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    }
}

/// A folder that is removed when it is released.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "swifty-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A new file.
    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appending(path: name)
        try content.write(to: file)
        return file
    }
}
