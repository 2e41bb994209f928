// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The quality of the network as it was last reported, and the streams that get its changes.
final class QualityBroadcast: Sendable {
    /// A quality, and the time after which it is unknown; `nil` for no such time.
    struct Report {
        var quality = NetworkQuality.unknown
        var expiry: Duration?
    }

    /// Reads the quality; `nil` if there is nothing to read it from any more. Called under the lock, so that changes
    /// are reported in their order.
    typealias Reader = @Sendable () -> Report?

    private struct State {
        var last = Report()
        var streams: [Int: AsyncStream<NetworkQuality>.Continuation] = [:]
        var lastNumber = 0
        /// Rings when the quality may be unknown; runs only while there are streams.
        var timer: LoadClock.Timer?
    }

    private let clock: LoadClock
    private let state = Mutex(State())
    /// The last report in one word, which each load reads at its end: the class in the lowest three bits, above it the
    /// expiry in milliseconds.
    private let latest = Atomic<UInt64>(0)

    init(_ clock: LoadClock) {
        self.clock = clock
    }

    deinit {
        let (streams, timer) = state.withLock { ($0.streams.values, $0.timer) }
        timer?.cancel()
        for stream in streams { stream.finish() }
    }

    /// The quality as it was last reported.
    func quality(now: Duration) -> NetworkQuality {
        let latest = latest.load(ordering: .relaxed)
        return latest >> 3 < Self.milliseconds(now) ? .unknown : NetworkQuality(rawValue: Int(latest & 7)) ?? .unknown
    }

    /// Reports the quality, which may have changed.
    func update(_ read: @escaping Reader) {
        state.withLock { update(&$0, read) }
    }

    /// A stream of the quality now, and of each later one. A slow reader gets only the latest.
    func stream(_ read: @escaping Reader) -> AsyncStream<NetworkQuality> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkQuality.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            update(&state, read)
            continuation.yield(state.last.quality)
            state.lastNumber += 1
            state.streams[state.lastNumber] = continuation
            setTimer(&state, read)
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func update(_ state: inout State, _ read: @escaping Reader) {
        guard let report = read() else { return }
        let expiry = report.expiry.map(Self.milliseconds) ?? .max >> 3
        latest.store(expiry << 3 | UInt64(report.quality.rawValue), ordering: .relaxed)
        if report.quality != state.last.quality {
            for stream in state.streams.values { stream.yield(report.quality) }
        }
        state.last = report
        setTimer(&state, read)
    }

    private func setTimer(_ state: inout State, _ read: @escaping Reader) {
        guard !state.streams.isEmpty, state.last.quality != .unknown, let expiry = state.last.expiry, state.timer == nil
        else { return }
        state.timer = clock.timer(at: expiry + .milliseconds(1)) { [weak self] in self?.ring(read) }
    }

    private func ring(_ read: @escaping Reader) {
        state.withLock { $0.timer = nil }
        update(read)
    }

    private func remove(_ number: Int) {
        let timer = state.withLock { state in
            state.streams[number] = nil
            return state.streams.isEmpty ? state.timer.take() : nil
        }
        timer?.cancel()
    }

    private static func milliseconds(_ time: Duration) -> UInt64 {
        UInt64(max(0, time / .milliseconds(1)))
    }
}
