// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty
@testable import WebServiceDSL

// The forms whose content is read while it arrives.

extension LoadRun {
    func read(_ resource: NetworkResource, pause: Int, leavesAfter count: Int?) async {
        do throws(SwiftyError) {
            let stream = try await resource.stream()
            var (content, left) = (Data(), count)
            while left != 0 {
                await history.clock.wait(pause)
                guard let part = try await stream.next() else { return deliver(.content(content)) }
                world.note(.partRead, of: number, part.count, is: "load \(number) reads \(part.count) bytes")
                checkRate(content.count)
                content += part
                left = left.map { $0 - 1 }
            }
            await history.clock.wait(pause)
            world.note(.streamClosed, of: number, is: "load \(number) leaves its stream")
            stream.cancel()
            deliver(.left)
        } catch {
            deliver(.failure(error))
        }
    }

    /// Reads events, each of which must follow the one before, over all connections.
    func readEvents(_ resource: NetworkResource, count: Int, attempts: Int, pause: Int) async {
        do throws(SwiftyError) {
            var iterator = resource.events(policy: EventPolicy(maximumAttempts: attempts)).makeAsyncIterator()
            for index in 1...count {
                await history.clock.wait(pause)
                guard let event = try await iterator.next() else { return deliver(.left) }
                world.note(.eventRead, of: number, index, is: "load \(number) reads the event \(event.id)")
                world.expect(
                    event.id == "\(index)" && event.data == "event \(index)",
                    "a stream of events is read without gap and without repetition",
                    "load \(number) reads \(event.id) in place of \(index)"
                )
            }
            deliver(.left)
        } catch {
            deliver(.failure(error))
        }
    }

    func download(_ resource: NetworkResource, _ plan: DownloadPlan) async {
        let path = history.files.path(plan.target)
        do throws(SwiftyError) {
            let file = try await resource.download(to: path, policy: plan.policy(history))
            world.note(
                .fileWritten,
                of: number,
                file.byteCount,
                is: "load \(number) has written \(file.byteCount) bytes"
            )
            history.files.check(plan.target, mustExist: true, history)
            deliver(.left)
        } catch {
            history.files.check(plan.target, mustExist: false, history)
            deliver(.failure(error))
        }
    }
}

extension DownloadPlan {
    fileprivate func policy(_ history: PipelineHistory) -> DownloadPolicy {
        var policy = DownloadPolicy(
            existing: replaces ? .replace : .fail,
            isResumable: isResumable,
            maximumResumptions: maximumResumptions
        )
        policy.continuesEarlier = continuesEarlier
        policy.keepsComplete = keepsComplete
        policy.checkpointInterval = .planned(checkpointInterval)
        if let failingWrite {
            let writes = WriteCounter()
            policy.writeFault = { _, _ in writes.next() == failingWrite && !history.isHealthy ? 5 : nil }
        }
        return policy
    }
}

/// Counts the writes of a download.
// Safety: the one thread of the simulation uses it.
private final class WriteCounter: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
