// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Loads a URL a number of times with AsyncHTTPClient, and ends. `main` is synchronous for valgrind.
@main
struct ColdStartAsyncHTTPClient {
    static func main() {
        let (url, count) = (CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 1)
        Task.detached {
            for _ in 0..<count {
                guard let size = try? await load(url), size > 0 else { exit(1) }
            }
            exit(0)
        }
        DispatchSemaphore(value: 0).wait()
    }

    private static func load(_ url: String) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        guard response.status == .ok else { return 0 }
        return try await response.body.collect(upTo: 1 << 20).readableBytes
    }
}
