// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport

// The measurements of a load, compared with the records of the peers.

extension Invariants {
    private static let sentence = "the metrics of a load say what has happened"

    func checkMetrics(of caller: Caller) {
        switch caller.outcome {
        case .success(let head, let body, let metrics):
            checkTimes(metrics, caller)
            checkCounts(metrics, caller)
            let count = "\(metrics.responseContentBytes) bytes of content, not \(body.count)"
            world.expect(metrics.responseContentBytes == body.count, Self.sentence, "load \(caller.number): \(count)")
            if let record = record(of: head, caller) { check(metrics, record, caller) }
        case .failure(let error):
            guard let metrics = error.transfer else { return }
            checkTimes(metrics, caller)
            checkCounts(metrics, caller)
        case .left, .prewarmed, nil: break
        }
    }

    /// The phases follow each other, between the call of the transport and the end of the transfer.
    private func checkTimes(_ metrics: TransferMetrics, _ caller: Caller) {
        let phases = [
            metrics.queue, metrics.nameLookup, metrics.connect, metrics.tls, metrics.firstByte, metrics.receive,
        ]
        let sum = phases.reduce(.zero, +)
        // Each is rounded to microseconds.
        let isWithin = phases.allSatisfy { $0 >= .zero } && sum <= metrics.total + .microseconds(10)
        world.expect(isWithin, Self.sentence, "load \(caller.number): \(phases) of \(metrics.total)")
        guard let ended = caller.transferEnded ?? caller.ended else { return }
        let most = Duration.nanoseconds(ended - caller.started) + .microseconds(10)
        world.expect(metrics.total <= most, Self.sentence, "load \(caller.number): \(metrics.total) of \(most)")
    }

    private func checkCounts(_ metrics: TransferMetrics, _ caller: Caller) {
        // Those that a server had no room for are not counted.
        let arrivals = network.requests(of: caller.number).count { !$0.isRefused || !$0.line.speaksHTTP2 }
        let text = "load \(caller.number): \(metrics.repetitions) repetitions, \(arrivals) requests"
        world.expect(arrivals <= metrics.repetitions + 1, Self.sentence, text)
    }

    private func check(_ metrics: TransferMetrics, _ record: RequestRecord, _ caller: Caller) {
        let (load, line) = (record.load, record.line)
        // A chunk counts when all of it is sent.
        var chunk = 0
        if case .source(let source) = caller.plan.content, !record.isComplete { chunk = source.part }
        let isSent = metrics.requestContentBytes + chunk >= record.content.count
        let text = "load \(load): \(metrics.requestContentBytes) bytes were sent, \(record.content.count) came"
        world.expect(isSent, Self.sentence, text)
        world.expect((metrics.httpVersion == .http2) == line.speaksHTTP2, Self.sentence, "load \(load): the version")
        let isNew = network.requests.first { $0.line === line } === record
        world.expect(metrics.isConnectionReused || isNew, Self.sentence, "load \(load): it was not the first one")
        let isMade = metrics.nameLookup + metrics.connect + metrics.tls > .zero
        world.expect(!metrics.isConnectionReused || !isMade, Self.sentence, "load \(load): it made no connection")
    }
}
