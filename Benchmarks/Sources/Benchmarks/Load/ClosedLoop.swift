// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The length of a run.
enum RunLength {
    /// Loads start until this time has passed.
    case time(Duration)
    /// A number of loads.
    case count(Int)
}

/// Keeps a number of loads in flight: each worker starts its next load when its last one has finished.
struct ClosedLoop {
    let client: any BenchmarkClient
    let inFlight: Int
    let length: RunLength

    func run() async -> Measurement {
        let start = ContinuousClock.now
        let shares = await withTaskGroup(of: Measurement.self) { group in
            for worker in 0..<inFlight {
                // A task without a preference does not pay for the search for one at every switch.
                if let executor = client.executor {
                    group.addTask(executorPreference: executor) { await work(worker, since: start) }
                } else {
                    group.addTask { await work(worker, since: start) }
                }
            }
            return await group.reduce(into: [Measurement]()) { $0.append($1) }
        }
        var whole = Measurement()
        for share in shares { whole.add(share) }
        whole.elapsed = ContinuousClock.now - start
        return whole
    }

    private func work(_ worker: Int, since start: ContinuousClock.Instant) async -> Measurement {
        var share = Measurement()
        var number = worker
        var begin = ContinuousClock.now
        while isGoingOn(number, begin - start) {
            do {
                share.bytes += try await client.load(number)
                let end = ContinuousClock.now
                share.latency.record(end - begin)
                share.completed += 1
                begin = end
            } catch {
                share.fail(error)
                begin = .now
            }
            number += inFlight
        }
        return share
    }

    private func isGoingOn(_ number: Int, _ elapsed: Duration) -> Bool {
        switch length {
        case .time(let limit): elapsed < limit
        case .count(let count): number < count
        }
    }
}
