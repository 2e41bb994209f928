// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import Synchronization
import TestSupport

/// Many loads, half of them cancelled at a random moment: by their task, by `LoadTask`, by tag.
struct CancellationStorm {
    /// The end of a load.
    enum Ending: Sendable {
        case answered
        case failed(SwiftyError)
    }

    /// The ends of the loads, and the requests that arrived at the server.
    final class Record: Sendable {
        let completions: Tally
        let arrivals: Tally
        /// Requests that arrived long after their load had ended.
        let lateArrivals = Counter()
        private let endings: Mutex<[(ending: Ending, time: ContinuousClock.Instant)?]>

        init(_ count: Int) {
            (completions, arrivals) = (Tally(count), Tally(count))
            endings = Mutex(Array(repeating: nil, count: count))
        }

        func end(_ index: Int, _ error: SwiftyError?) {
            completions.count(index)
            let now = ContinuousClock.now
            endings.withLock { $0[index] = (error.map { .failed($0) } ?? .answered, now) }
        }

        func arrive(_ index: Int) {
            arrivals.count(index)
            // A request that was written before the cancellation may be read after it, but not long after.
            let end = endings.withLock { $0.indices.contains(index) ? $0[index]?.time : nil }
            if let end, ContinuousClock.now - end > .seconds(30) { lateArrivals.increment() }
        }

        func ending(of index: Int) -> Ending? { endings.withLock { $0[index]?.ending } }
    }

    let count: Int
    let record: Record

    init(_ count: Int) {
        self.count = count
        record = Record(count)
    }

    /// Makes the loads, with a server and a transport of their own.
    func run() async throws {
        let record = self.record
        let server = try LoopbackServer { server in
            server.route("GET", "/item/{number}") { request in
                let number = request.pathVariables["number"].flatMap { Int($0) } ?? 0
                record.arrive(number)
                return .text("\(number)").delayed(.milliseconds(number % 7))
            }
        }
        let swifty = Swifty(transport: CurlTransport())
        let base = BaseResource(server.url, networkInterface: swifty)
        await StressTests.inFlight(of: count) { index in
            let resource = base.get("item/{number}", ["number": index])
            switch index % 6 {
            case 1: await Self.cancelTask(of: resource) { record.end(index, $0) }
            case 3: await Self.cancelLoadTask(of: resource) { record.end(index, $0) }
            case 5: await Self.cancelTag("tag-\(index)", of: resource, swifty) { record.end(index, $0) }
            default: record.end(index, await Self.failure(of: resource))
            }
        }
        let arrivals = record.arrivals.total
        await swifty.shutdown()
        // A connection ends after all requests that were sent on it.
        try await until { server.openConnectionCount == 0 }
        // Only requests that were on their way when the last load ended may have arrived.
        if record.arrivals.total > arrivals + StressTests.simultaneousLoads { record.lateArrivals.increment() }
        await server.stop()
    }

    private typealias End = @Sendable (SwiftyError?) -> Void

    private static func cancelTask(of resource: NetworkResource, _ end: @escaping End) async {
        let task = Task { end(await failure(of: resource)) }
        await pause()
        task.cancel()
        await task.value
    }

    private static func cancelLoadTask(of resource: NetworkResource, _ end: @escaping End) async {
        let isOver = Gate()
        let task = resource.load { (response: NetworkResponse) in
            end(response.error)
            isOver.open()
        }
        await pause()
        task.cancel()
        await isOver.wait()
    }

    private static func cancelTag(
        _ tag: String,
        of resource: NetworkResource,
        _ swifty: Swifty,
        _ end: @escaping End
    ) async {
        let task = Task { end(await failure(of: resource.tag(tag))) }
        await pause()
        swifty.cancelLoads(withTag: tag)
        await task.value
    }

    private static func failure(of resource: NetworkResource) async -> SwiftyError? {
        do throws(SwiftyError) {
            _ = try await resource.load()
            return nil
        } catch {
            return error
        }
    }

    private static func pause() async {
        // Any moment of the load.
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<8_000)))
    }
}
