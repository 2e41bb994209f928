// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Facts about this process, from Linux.
enum ThisProcess {
    private static var threadFolders: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return names.map { "/proc/self/task/\($0)" }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    static var threadNames: [String] {
        threadFolders.map { text("\($0)/comm").trimmingCharacters(in: .newlines) }
    }

    static var currentThreadName: String { text("/proc/thread-self/comm").trimmingCharacters(in: .newlines) }

    /// The processor time of the process, in nanoseconds; available even if no file can be opened.
    static var time: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The processor time of the threads of this name, in nanoseconds; `nil` without such threads.
    static func threadTime(of name: String) -> Int? {
        let times = threadFolders.filter { text("\($0)/comm") == name + "\n" }.compactMap {
            text("\($0)/schedstat").split(separator: " ").first.flatMap { Int($0) }
        }
        return times.isEmpty ? nil : times.reduce(0, +)
    }

    /// The sockets connected to this port that a child process would inherit.
    static func descriptorsWithoutCloseOnExec(toPort port: Int) -> [Int32] {
        OpenSockets.descriptors(toPorts: [port]).filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
    }
}
