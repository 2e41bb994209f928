// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Starts programs directly; Foundation's `Process` would take longer than the program under test.
enum Launch {
    struct Failure: Error {
        let words: [String]
        let status: Int32
    }

    /// The time of a program from its start to its end.
    static func time(_ words: [String]) throws -> Duration {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let start = ContinuousClock.now
        let failure = posix_spawn(&process, words[0], nil, nil, &arguments, environ)
        guard failure == 0 else { throw Failure(words: words, status: failure) }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let time = ContinuousClock.now - start
        guard status == 0 else { throw Failure(words: words, status: status) }
        return time
    }
}
