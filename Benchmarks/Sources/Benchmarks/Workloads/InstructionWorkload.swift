// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation

/// Counts the instructions of a load, one in flight, with valgrind.
struct InstructionWorkload: Workload {
    let name = "instructions"
    let title = "instructions per load, HTTP/1.1, 1 in flight, as counted by callgrind"
    let contestants = ColdStartProgram.allCases.map(\.client.rawValue)
    let compared: [Metric] = [.instructions]
    let mostTurns = 1
    let isOptional = true

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        let copies = try StrippedPrograms(of: bench.programs)
        var figures: [String: Figures] = [:]
        for program in order.compactMap(ColdStartProgram.init(client:)) {
            let counts = try [200, 1_200].map { count in
                try copies.instructions(
                    program.command(in: copies.folder, url: bench.small.url + "/small", count: count)
                )
            }
            figures[program.client.rawValue] = [.instructions: (counts[1] - counts[0]) / 1_000]
        }
        return figures
    }
}

/// Copies of the programs and of Swift's libraries without debug information, which older valgrinds cannot read.
final class StrippedPrograms {
    let folder: URL

    struct NoCount: Error {
        let output: String
    }

    init(of programs: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("swifty-bench-\(getpid())-stripped")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = ColdStartProgram.allCases.map { programs.appendingPathComponent($0.rawValue) } + Self.libraries
        for file in files {
            let copy = folder.appendingPathComponent(file.lastPathComponent)
            try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: copy)
            try ChildProcess.output(of: ["strip", "-g", copy.path])
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The libraries of Swift's runtime that this process has loaded.
    private static var libraries: [URL] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/libswiftCore.so") }),
            let path = line.split(separator: " ", omittingEmptySubsequences: true).last
        else { return [] }
        let folder = URL(fileURLWithPath: String(path)).deletingLastPathComponent()
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return files?.filter { $0.lastPathComponent.hasPrefix("lib") && $0.pathExtension == "so" } ?? []
    }

    /// The number of instructions that a command takes.
    func instructions(_ words: [String]) throws -> Double {
        let output = folder.appendingPathComponent("callgrind.out")
        let tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(output.path)"]
        try ChildProcess.output(of: tool + words, environment: ["LD_LIBRARY_PATH": folder.path])
        let text = try String(contentsOf: output, encoding: .utf8)
        let line = text.split(separator: "\n").last { $0.hasPrefix("totals:") || $0.hasPrefix("summary:") }
        guard let count = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw NoCount(output: String(text.suffix(200)))
        }
        return count
    }
}
