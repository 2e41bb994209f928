// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Swifty

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Loads a URL a number of times with Swifty, and exits. `main` is synchronous for valgrind.
@main
struct ColdStartSwifty {
    static func main() {
        let (url, count) = (CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 1)
        Task.detached {
            let server = BaseResource(url, networkInterface: Swifty.shared)
            for _ in 0..<count {
                let response = try? await server.get().header(.accept, "application/json").load()
                if response?.statusCode != 200 { exit(1) }
            }
            exit(0)
        }
        DispatchSemaphore(value: 0).wait()
    }
}
