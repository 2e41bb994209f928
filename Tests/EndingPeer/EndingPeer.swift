// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport

/// A program that ends in the way that its first argument names, while transports are in use: see `ProcessEndTests`.
///
///     EndingPeer KIND URL AUTHORITY_FILE
@main
enum EndingPeer {
    private static let url = CommandLine.arguments[2]

    static func main() async {
        switch CommandLine.arguments[1] {
        case "loads": await loads(8)
        case "load": await loads(1)
        case "loops": await loads(8, loops: 4)
        case "released": await released()
        case "shared": await shared()
        case "streams": await streams()
        case "shutdown": await shutdown()
        case "other-thread": await otherThread()
        case "handler": await handler()
        case "blocked-handler": await blockedHandler()
        case "executor": await executor()
        case "late-load": await lateLoad()
        default: exit(64)
        }
    }

    private static func transport(loops: Int = 1) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.settings.tls.trust = .file(CommandLine.arguments[3])
        configuration.loops = loops
        return CurlTransport(configuration: configuration)
    }

    private static func request(_ path: String = "") -> NetworkRequest {
        guard let target = try? TargetURI(url + path) else { exit(64) }
        return NetworkRequest(method: .get, target: target)
    }

    private static func load(_ transport: CurlTransport, _ request: NetworkRequest = request()) async {
        _ = try? await transport.send(request, cancellation: LoadCancellation())
    }

    private static func pause() {
        usleep(UInt32.random(in: 2_000...25_000))
    }
}

// MARK: The kinds of endings

extension EndingPeer {
    /// Returns from `main` while each of some transports shakes hands, loads or is idle.
    private static func loads(_ count: Int, loops: Int = 1) async {
        for _ in 0..<count {
            Task {
                let transport = transport(loops: loops)
                for _ in 0..<3 { await load(transport) }
            }
        }
        pause()
    }

    /// Returns while the connections of transports that nothing refers to any more are being closed.
    private static func released() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<30 { group.addTask { await load(transport()) } }
        }
    }

    private static func shared() async {
        for _ in 0..<8 { Task { await load(.shared) } }
        pause()
        exit(0)
    }

    /// Returns with streams that were not read.
    private static func streams() async {
        let transport = transport()
        var streams: [StreamedResponse] = []
        for _ in 0..<4 {
            let stream = try? await transport.stream(request("/slow"), cancellation: LoadCancellation())
            streams += stream.map { [$0] } ?? []
        }
        pause()
        withExtendedLifetime(streams) { exit(0) }
    }

    private static func shutdown() async {
        let transport = transport()
        for _ in 0..<8 { Task { await load(transport) } }
        pause()
        Task { await transport.shutdown() }
    }

    private static func otherThread() async {
        Thread.detachNewThread {
            pause()
            exit(0)
        }
        let transport = transport()
        while true { await load(transport) }
    }

    /// Ends the process on the thread of a loop.
    private static func handler() async {
        let other = transport()
        Task { await load(other) }
        var request = request()
        request.onEvent = { event in if case .responseHead = event { exit(0) } }
        await load(transport(), request)
    }

    /// Ends the process while a handler holds the thread of a loop.
    private static func blockedHandler() async {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        Task {
            var request = request()
            request.onEvent = { _ in
                continuation.finish()
                DispatchSemaphore(value: 0).wait()
            }
            await load(transport(), request)
        }
        for await _ in begun {}
    }

    private static func executor() async {
        let transport = transport()
        await load(transport)
        await withTaskExecutorPreference(transport.executor) { end() }
    }

    private static func end() {
        exit(0)
    }

    /// Loads once more after the end has begun: the load must fail, and not wait for ever.
    private static func lateLoad() async {
        atexit {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Task {
                    let error = await EndingPeer.failure(.shared)
                    let fresh = await EndingPeer.failure(CurlTransport())
                    if error?.code != .shutdown || fresh?.code != .shutdown { _exit(2) }
                    done.signal()
                }
            }
            if done.wait(timeout: .now() + 60) == .timedOut { _exit(3) }
        }
        await load(.shared)
    }

    private static func failure(_ transport: CurlTransport) async -> SwiftyError? {
        do throws(SwiftyError) {
            _ = try await transport.send(request(), cancellation: LoadCancellation())
            return nil
        } catch {
            return error
        }
    }
}
