// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Starts programs directly; Foundation's `Process` would take longer than the program under test.
enum Launch {
    struct Failure: Error {
        let words: [String]
        let status: Int32
    }

    /// The resources that a program has used.
    struct Usage {
        /// From its start to its end.
        let time: Duration
        let cpu: Duration
        /// The largest resident size, in bytes.
        let peakResident: Int
    }

    /// The time of a program from its start to its end.
    static func time(_ words: [String]) throws -> Duration {
        try usage(words).time
    }

    /// Runs a program, without its output, with further variables in its environment.
    static func usage(_ words: [String], environment: [String: String] = [:]) throws -> Usage {
        for (name, value) in environment { setenv(name, value, 1) }
        defer { for name in environment.keys { unsetenv(name) } }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let start = ContinuousClock.now
        let failure = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
        guard failure == 0 else { throw Failure(words: words, status: failure) }
        var status: Int32 = 0
        var usage = rusage()
        wait4(process, &status, 0, &usage)
        let time = ContinuousClock.now - start
        guard status == 0 else { throw Failure(words: words, status: status) }
        let cpu = duration(usage.ru_utime) + duration(usage.ru_stime)
        return Usage(time: time, cpu: cpu, peakResident: Int(usage.ru_maxrss) * 1024)
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
}
