// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The programs that tests need from outside of the package.
package enum ExternalProgram {
    /// The reason why a program could not be used; the test fails and is not skipped.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// The path of a program of the system.
    ///
    /// - Throws: ``Unavailable`` if it is missing.
    package static func path(_ name: String) throws -> String {
        let folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/bin"]
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile) else {
            throw Unavailable(description: "\(name) is missing; Scripts/install-dependencies --tests installs it")
        }
        return path
    }

    /// The path of the Python that `Scripts/install-dependencies --tests` installs with its packages.
    package static var python: String { Repository.root.appending(path: ".venv/bin/python").path }

    /// The path of a script of `Tests/Peers`.
    package static func peer(_ script: String) -> String {
        Repository.root.appending(path: "Tests/Peers/\(script)").path
    }
}

/// A running program that inherits only the standard descriptors, and no signal mask.
///
/// Foundation's `Process` waits with a run loop, which would block the few threads that all tests share, and detects
/// the end of a program by a descriptor, which a server started simultaneously may inherit and keep open.
package struct ChildProcess: Sendable {
    package let id: pid_t

    /// Starts a program without input.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - output: The path of the file that it writes to.
    ///   - errors: The path of the file that it writes its errors to; may be the same.
    ///   - environment: The changes to this process's environment.
    package init(
        _ program: String,
        _ arguments: [String],
        output: String = "/dev/null",
        errors: String = "/dev/null",
        environment: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, writing, 0o600)
        for descriptor in 3..<4096 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
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

    /// Whether the program has not ended; its status remains for ``wait()``.
    package var isRunning: Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == 0
    }

    /// Waits for the end on the calling thread, and returns the status as a shell reports it. May be called once.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends the program, with its children if it ends them. May be called once.
    package func terminate() {
        kill(id, SIGTERM)
        // A program that ignores SIGTERM must not stop the tests.
        blockUntil(within: .seconds(5)) { !isRunning }
        kill(id, SIGKILL)
        wait()
    }
}
