// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A child process that inherits no descriptors but the standard ones.
///
/// Foundation's `Process` waits with a run loop, which would block the few threads that all tests share.
struct ChildProcess {
    let id: pid_t

    /// Starts a program and discards its output.
    init(_ program: URL, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0..<3 as Range<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        for descriptor in 3..<4096 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var strings = ([program.path] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var id = pid_t()
        let failure = posix_spawn(&id, program.path, &actions, nil, &strings, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        self.id = id
    }

    var isRunning: Bool { waitpid(id, nil, WNOHANG) == 0 }

    /// Waits for the end and returns whether the program succeeded.
    func wait() -> Bool {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// Ends the program with SIGKILL: it may have inherited a blocked SIGTERM from its thread.
    func terminate() {
        kill(id, SIGKILL)
        _ = wait()
    }
}
