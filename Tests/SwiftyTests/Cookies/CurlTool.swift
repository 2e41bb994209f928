// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The curl program, which reads and writes the same cookie files.
enum CurlTool {
    struct Failure: Error {
        let status: Int32
    }

    /// Runs curl and returns its output. Waits on its own thread, not on one of the few threads of tasks.
    static func run(_ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runAndWait(arguments) }) }
        }
    }

    private static func runAndWait(_ arguments: [String]) throws -> String {
        let output = NSTemporaryDirectory() + "swifty-curl-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let id = try spawn(["curl", "--output", output] + arguments)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if status != 0 { throw Failure(status: status) }
        return (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    }

    private static func spawn(_ arguments: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 3..<4096 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var strings = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var id = pid_t()
        let failure = posix_spawnp(&id, "curl", &actions, nil, &strings, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        return id
    }
}
