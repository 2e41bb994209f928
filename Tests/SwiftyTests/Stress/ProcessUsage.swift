// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resources that this process uses, as Linux counts them.
struct ProcessUsage: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    /// Resident memory.
    let megabytes: Int

    static var now: ProcessUsage {
        ProcessUsage(descriptors: entries("/proc/self/fd"), threads: entries("/proc/self/task"), megabytes: resident)
    }

    /// Linux's name of the calling thread.
    static var currentThread: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    }

    static func isAlive(thread: String) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(thread)")
    }

    /// Whether no number exceeds that of an earlier usage by more than the given one.
    func isAtMost(_ other: ProcessUsage, descriptors: Int, threads: Int, megabytes: Int) -> Bool {
        self.descriptors <= other.descriptors + descriptors && self.threads <= other.threads + threads
            && self.megabytes <= other.megabytes + megabytes
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(megabytes) MB" }

    private static func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    private static var resident: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
}
