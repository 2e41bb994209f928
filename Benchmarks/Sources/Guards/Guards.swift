// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Dispatch
import Foundation

/// Counts the allocations and the memory of requests, which are the same on every machine, and compares them with
/// thresholds.
///
///     guards THRESHOLDS            # exits with 1 if a cost exceeds its threshold
///     guards THRESHOLDS --write    # makes today's costs and a tenth more the thresholds
///     guards repeat NAME COUNT     # repeats one subject, for a profiler
///
/// `main` is synchronous because valgrind does not run Dispatch's main loop.
@main
struct Guards {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == SmallServer.argument { exit(SmallServer.serve()) }
        // Detached from the main actor, whose thread waits below.
        Task.detached {
            do {
                exit(try await run(arguments))
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(2)
            }
        }
        DispatchSemaphore(value: 0).wait()
    }

    private static func run(_ arguments: [String]) async throws -> Int32 {
        guard let first = arguments.first else {
            print("usage: guards THRESHOLDS [--write] | guards repeat NAME COUNT")
            return 64
        }
        let subjects = Subject.all()
        if first == "repeat", arguments.count == 3, let count = Int(arguments[2]) {
            let subject = subjects.first { $0.name == arguments[1] }
            guard case .allocations(let work)? = subject?.cost else { return 64 }
            try await work(count)
            return 0
        }
        var counts: [String: Double] = [:]
        for subject in subjects { counts[subject.name] = try await subject.measure() }
        return try judge(counts, subjects, file: URL(fileURLWithPath: first), writes: arguments.contains("--write"))
    }

    private static func judge(
        _ counts: [String: Double],
        _ subjects: [Subject],
        file: URL,
        writes: Bool
    ) throws -> Int32 {
        if writes { try Thresholds(today: counts).write(to: file) }
        let verdicts = try Verdict.all(counts, Thresholds(contentsOf: file), subjects)
        print(Verdict.table(verdicts))
        return verdicts.allSatisfy(\.isKept) ? 0 : 1
    }
}
