// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CFloor
import Foundation

/// The origin of the figures: the machine and the versions, without names of hosts or folders.
struct Machine: Codable {
    let processor: String
    let cores: Int
    let memory: String
    let system: String
    let kernel: String
    let compiler: String
    let libcurl: String
    let asyncHTTPClient: String
    let commit: String

    /// - Parameter project: The folder of the project.
    init(project: URL) {
        processor = Self.entry("model name", of: "/proc/cpuinfo")
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory = Self.entry("MemTotal", of: "/proc/meminfo")
        system = ProcessInfo.processInfo.operatingSystemVersionString
        // Without the suffix of the distribution.
        kernel = Self.firstLine("uname", "-sr").split(separator: "-").first.map(String.init) ?? "unknown"
        compiler = Self.firstLine("swift", "--version")
        libcurl = String(cString: floor_libcurl_version())
        asyncHTTPClient = Self.version(of: "async-http-client", project)
        commit = Self.firstLine("git", "-C", project.path, "rev-parse", "--short", "HEAD")
    }

    var lines: [String] {
        [
            "\(cores) × \(processor), \(memory)", "\(system), \(kernel)", compiler, libcurl,
            "AsyncHTTPClient \(asyncHTTPClient)", "commit \(commit)",
        ]
    }

    private static func entry(_ key: String, of file: String) -> String {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }

    private static func firstLine(_ words: String...) -> String {
        let output = try? ChildProcess.output(of: words)
        return output?.split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    /// The version of a package that was resolved.
    private static func version(of package: String, _ project: URL) -> String {
        struct Pin: Decodable {
            struct State: Decodable { let version: String? }
            let identity: String
            let state: State
        }
        struct Resolved: Decodable { let pins: [Pin] }
        let file = project.appendingPathComponent("Benchmarks/Package.resolved")
        let resolved = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Resolved.self, from: $0) }
        return resolved?.pins.first { $0.identity == package }?.state.version ?? "of unknown version"
    }
}
