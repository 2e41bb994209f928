// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// A sanitizer has its own allocators, which cannot be interposed.
#if os(Linux) && !SWIFTY_THREAD_SANITIZER
import SwiftyTestServers
import TestSupport
import Foundation
import Testing

/// Each C call that can fail fails once, in a process of its own: the load ends with an error that has a code, or is
/// unaffected. It never crashes and never hangs.
@Suite("When a C call fails", .timeLimit(.minutes(15)))
struct FailingCallTests {
    /// The functions that `failing.c` interposes; for those with many calls, some of the calls.
    private static let functions: [(name: String, limit: Int)] = [
        ("epoll_create1", 2), ("epoll_ctl", 8), ("epoll_wait", 8), ("eventfd", 2), ("pthread_create", 3), ("mmap", 4),
        ("mremap", 4), ("socket", 3), ("socketpair", 3), ("pipe", 2), ("connect", 2), ("setsockopt", 8),
        ("getsockopt", 4),
        ("getsockname", 4), ("getpeername", 4), ("send", 3), ("recv", 6), ("curl_global_init", 1),
        ("curl_easy_init", 3),
        ("curl_multi_init", 2), ("curl_share_init", 2), ("curl_slist_append", 3), ("curl_url", 4), ("curl_url_set", 4),
        ("curl_multi_add_handle", 3), ("curl_multi_remove_handle", 3), ("curl_multi_socket_action", 12),
        ("inflateInit2_", 2), ("inflateReset2", 2), ("inflate", 3), ("curl_easy_setopt", 64), ("curl_easy_getinfo", 24),
        ("curl_multi_setopt", 12), ("curl_share_setopt", 3),
    ]

    @Test("a load ends, for every call and every number of failures")
    func calls() async throws {
        let bench = try await Bench()
        for (name, limit) in Self.functions {
            for number in 1...limit {
                guard try await bench.load(failing: "\(name):\(number)") else { break }
            }
            // From the first call on, except for waits: no system has one that never waits.
            if name != "epoll_wait" { _ = try await bench.load(failing: "\(name):1+") }
        }
    }

    @Test("a load ends, whichever allocation fails, and from whichever on all of them fail")
    func memory() async throws {
        let bench = try await Bench()
        // Other ones in each run; all of them before a release.
        let step = Thoroughness.isDeep ? 1 : 4
        var number = Int.random(in: 1...step)
        while try await bench.load(failing: "memory:\(number)") { number += step }
        // A load makes about a hundred allocations; with far fewer, nothing would be tested.
        #expect(number > 50, "there are only \(number) allocations")
        for start in stride(from: Int.random(in: 1...step), to: number, by: 5 * step) {
            _ = try await bench.load(failing: "memory:\(start)+")
        }
    }
}

/// The library that makes calls fail, and the loads with it.
private struct Bench: Sendable {
    /// The statuses of the command after a load with any outcome; a signal is 128 and more.
    private static let ends: Set<Int32> = [0, 1, 2, 7, 64]

    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private var library: URL { folder.url.appending(path: "failing.so") }
    private var mark: URL { folder.url.appending(path: "mark") }

    init() async throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "failing.c")
        let words = ["clang", "-shared", "-fPIC", "-O1", "-o", library.path, source.path, "-ldl"]
        try await Program.require("env", words)
    }

    /// Loads while a call fails, and checks the outcome. Returns whether there was such a call.
    func load(failing call: String) async throws -> Bool {
        try? FileManager.default.removeItem(at: mark)
        let run = try await Program.run(
            "swifty",
            ["--output", "json", "--timeout", "10", "\(server.url)/gzip"],
            environment: ["LD_PRELOAD": library.path, "SWIFTY_FAIL": call, "SWIFTY_FAIL_MARK": mark.path]
        )
        #expect(Self.ends.contains(run.status), "\(call): \(run.status) \(run.errors.suffix(2_000))")
        // The time limit of the call detects a hang; nothing else takes as long.
        #expect(run.status != 2, "\(call) hangs")
        let report = try JSONSerialization.jsonObject(with: run.bytes.isEmpty ? Data("{}".utf8) : run.bytes)
        let error = (report as? [String: Any])?["error"] as? [String: Any]
        let code = error?["code"] as? String ?? ""
        #expect((run.status == 0) == code.isEmpty, "\(call): \(run.status) and \(code)")
        return FileManager.default.fileExists(atPath: mark.path)
    }
}
#endif
