// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs programs and waits for them.
enum ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let words: [String]
        let status: Int32

        var description: String { "\(words.first ?? "") ended with \(status): \(words.joined(separator: " "))" }
    }

    /// The path of this program.
    static let myself = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    /// Makes a process of a command, which is searched in `PATH`.
    static func make(_ words: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PATH": path + ":/usr/sbin:/sbin"]) { $1 }
            .merging(environment) { $1 }
        return process
    }

    /// Runs a command and returns its output.
    @discardableResult
    static func output(
        of words: [String],
        environment: [String: String] = [:],
        showsErrors: Bool = false
    ) throws -> String {
        let process = make(words, environment: environment)
        let output = Pipe()
        process.standardOutput = output
        if !showsErrors { process.standardError = FileHandle.nullDevice }
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(words: words, status: process.terminationStatus) }
        return String(decoding: data, as: UTF8.self)
    }

    /// Runs a subcommand of this program and returns the figures that it prints.
    static func figures(of arguments: [String], environment: [String: String] = [:]) throws -> [String: Figures] {
        try figures(ofCommand: [myself] + arguments, environment: environment)
    }

    /// Runs a command and returns the figures that it prints.
    static func figures(ofCommand words: [String], environment: [String: String] = [:]) throws -> [String: Figures] {
        let text = try output(of: words, environment: environment, showsErrors: true)
        return try JSONDecoder().decode([String: Figures].self, from: Data(text.utf8))
    }
}
