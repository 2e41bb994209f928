// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resources that this process has used.
struct ProcessUsage {
    /// User and system time, in nanoseconds.
    let cpu: Int64
    /// The largest resident size so far, in bytes.
    let peakResident: Int
    /// The resident size now, in bytes.
    let resident: Int
    let threads: Int
    /// The number of allocations; `nil` unless they are counted.
    let allocations: Int?

    static func now() -> ProcessUsage {
        var usage = rusage()
        // RUSAGE_SELF: an enumeration on Linux, a number elsewhere.
        getrusage(0, &usage)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return ProcessUsage(
            cpu: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
            // Not `ru_maxrss`, which begins with the size of the process that has started this one.
            peakResident: number("VmHWM:", in: status) * 1024,
            resident: number("VmRSS:", in: status) * 1024,
            threads: number("Threads:", in: status),
            allocations: AllocationCount.now
        )
    }

    private static func nanoseconds(_ time: timeval) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
    }

    private static func number(_ key: String, in status: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Raises the limit of open descriptors to the highest that is allowed.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// The counter that is preloaded in runs that count allocations.
private enum AllocationCount {
    private typealias Function = @convention(c) () -> UInt64

    private static let function: Function? = dlsym(dlopen(nil, RTLD_LAZY), "allocations_count").map {
        unsafeBitCast($0, to: Function.self)
    }

    static var now: Int? { function.map { Int($0()) } }
}
