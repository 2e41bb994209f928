// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// A started program that inherits no descriptor but the standard ones, until it is ended.
///
/// Foundation's `Process` waits with a run loop, which would block the few threads that all tests share.
struct SpawnedProgram {
    let id: pid_t

    /// Starts a program.
    ///
    /// - Parameter output: the file that it writes to; what it writes is dropped without one.
    init(_ program: String, _ arguments: [String], output: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for descriptor in 3..<4096 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var strings = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var id = pid_t()
        let failure = posix_spawn(&id, program, &actions, nil, &strings, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        self.id = id
    }

    var isRunning: Bool { waitpid(id, nil, WNOHANG) == 0 }

    /// Waits for the end, on the calling thread, and returns whether it was a success.
    func wait() -> Bool {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// Ends the program.
    func terminate() {
        kill(id, SIGKILL)
        _ = wait()
    }

    /// What a program of the system writes when it is run to its end, off the few threads that all tests share.
    static func output(of program: String, _ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try run(program, arguments) })
            }
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "swifty-output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try SpawnedProgram(program, arguments, output: file.path).wait()
        return try String(contentsOf: file, encoding: .utf8)
    }
}
