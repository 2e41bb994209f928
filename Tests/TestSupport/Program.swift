// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The output of a program that has run to its end.
package struct Program: Sendable {
    package let status: Int32
    package let bytes: Data
    package let errors: String

    /// The output as text.
    package var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The output as one JSON object.
    package func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
    }

    /// The folder of the package's programs, and of the modules built with this test.
    package static var products: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - name: The name of a program of this package, or the path of another.
    ///   - environment: The changes to this process's environment.
    ///   - input: The content of a pipe on its standard input; `nil` connects `/dev/null`.
    ///   - interruption: Called again and again until it returns `true`; then the program gets SIGINT, as from Ctrl-C.
    package static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Data? = nil,
        interruption: (@Sendable () -> Bool)? = nil
    ) async throws -> Program {
        try await onOwnThread { try Program(name, arguments, environment, input, interruption) }
    }

    /// Runs a program of the system to its end.
    ///
    /// - Throws: ``ExternalProgram/Unavailable`` if it is missing or fails.
    @discardableResult
    package static func require(_ name: String, _ arguments: [String]) async throws -> Program {
        let run = try await run(ExternalProgram.path(name), arguments)
        guard run.status == 0 else {
            let line = ([name] + arguments).joined(separator: " ")
            throw ExternalProgram.Unavailable(description: "\(line): status \(run.status) \(run.errors)")
        }
        return run
    }

    private init(
        _ name: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ input: Data?,
        _ interruption: (() -> Bool)?
    ) throws {
        let folder = try TemporaryFolder()
        let output = try folder.file("output")
        let errors = try folder.file("errors")
        var words = [name.hasPrefix("/") ? name : Self.products.appending(path: name).path] + arguments
        if let input {
            let file = try folder.file("input", input)
            words = ["/bin/sh", "-c", "cat \"$0\" | \"$@\"", file.path] + words
        }
        let process = try ChildProcess(
            words[0],
            Array(words.dropFirst()),
            output: output.path,
            errors: errors.path,
            // The user of this machine may have defaults and sessions.
            environment: ["SWIFTY_CONFIG_DIR": folder.url.appending(path: "none").path].merging(environment) { $1 }
        )
        if let interruption {
            blockUntil(within: .seconds(600)) { !process.isRunning || interruption() }
            kill(process.id, SIGINT)
        }
        status = process.wait()
        bytes = try Data(contentsOf: output)
        self.errors = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    }
}
