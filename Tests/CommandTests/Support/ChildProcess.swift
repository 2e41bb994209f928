// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A running program that inherits only the standard descriptors, and no signal mask.
///
/// Foundation's `Process` detects the end of a program by a descriptor, which a server started simultaneously may
/// inherit and keep open.
struct ChildProcess {
    let id: pid_t

    /// Starts a program without input.
    ///
    /// - Parameters:
    ///   - output: The path of an existing file, as for `errors`.
    ///   - environment: The changes to this process's environment.
    init(
        _ program: String,
        _ arguments: [String],
        output: String = "/dev/null",
        errors: String = "/dev/null",
        environment: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0)
        for descriptor in 3..<1024 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = merged.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in words + variables { free(string) } }
        var id = pid_t()
        let failure = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        self.id = id
    }

    /// Whether the program has not ended; a result of false consumes its status.
    var isRunning: Bool { waitpid(id, nil, WNOHANG) == 0 }

    /// Waits for the end, and returns the status as a shell reports it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends the program.
    func terminate() {
        kill(id, SIGTERM)
        _ = wait()
    }
}
