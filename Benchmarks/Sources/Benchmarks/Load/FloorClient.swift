// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CFloor
import Foundation

/// The client in C. It runs on the calling thread and measures itself.
final class FloorClient {
    private let floor: OpaquePointer
    // Safety: allocated here, read by the floor, and freed after it.
    private let urls: [UnsafeMutablePointer<CChar>?]
    private let authority: UnsafeMutablePointer<CChar>?
    private let content: UnsafeMutableBufferPointer<UInt8>?

    private struct OutOfMemory: Error {}

    init(_ task: LoadTask) throws {
        urls = task.urls.map { strdup($0) }
        authority = task.authority.map { strdup($0) }
        content = try task.content.map { content in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: content.count)
            _ = copy.initialize(from: content)
            return copy
        }
        guard let floor = Self.make(task, urls, authority, content) else { throw OutOfMemory() }
        self.floor = floor
    }

    deinit {
        floor_destroy(floor)
        for url in urls { free(url) }
        free(authority)
        content?.deallocate()
    }

    private static func make(
        _ task: LoadTask,
        _ urls: [UnsafeMutablePointer<CChar>?],
        _ authority: UnsafeMutablePointer<CChar>?,
        _ content: UnsafeMutableBufferPointer<UInt8>?
    ) -> OpaquePointer? {
        let list = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: urls.count)
        _ = list.initialize(from: urls.map { UnsafePointer($0) })
        // Never freed: there is one floor in a process.
        var floorTask = floor_task()
        floorTask.urls = UnsafePointer(list.baseAddress)
        floorTask.url_count = Int32(urls.count)
        floorTask.authority = UnsafePointer(authority)
        floorTask.body = UnsafeRawPointer(content?.baseAddress)
        floorTask.body_length = content?.count ?? 0
        floorTask.in_flight = Int32(task.inFlight)
        floorTask.is_http1 = task.isHTTP1
        return floor_create(&floorTask)
    }

    func run(_ length: RunLength) -> Measurement {
        var measurement = Measurement()
        let result = withUnsafeMutablePointer(to: &measurement.latency) { latency in
            let (count, nanoseconds) = length.numbers
            return floor_run(floor, count, nanoseconds, record, latency)
        }
        measurement.elapsed = .nanoseconds(result.nanoseconds)
        measurement.completed = Int(result.completed)
        measurement.failed = Int(result.failed)
        measurement.bytes = Int(result.bytes)
        return measurement
    }
}

private let record: floor_completed = { context, nanoseconds in
    context?.assumingMemoryBound(to: Latency.self).pointee.record(nanoseconds: nanoseconds)
}

extension RunLength {
    fileprivate var numbers: (count: Int64, nanoseconds: Int64) {
        switch self {
        case .time(let duration): (0, Int64(duration / .nanoseconds(1)))
        case .count(let count): (Int64(count), 0)
        }
    }
}
