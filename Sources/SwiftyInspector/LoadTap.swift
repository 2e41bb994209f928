// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

import struct Foundation.Date

/// Watches the loads of one instance or request for an inspector.
final class LoadTap: Swifty.Observer {
    /// The events of a load that are kept; more would be an endless series of attempts.
    private static let maximumEvents = 200

    private struct Running {
        let number: Int
        let draft: RequestDraft
        let start: ContinuousClock.Instant
        var events: [InspectedLoad.Event] = []
    }

    private let instance: Int
    private let inspector: Inspector
    private let running = Mutex<[UInt64: Running]>([:])

    init(instance: Int, inspector: Inspector) {
        (self.instance, self.inspector) = (instance, inspector)
    }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        switch event {
        case .created: begin(load)
        case .finished(let response): end(load, response)
        default: if let text = event.text { add(text, to: load) }
        }
    }

    private func begin(_ load: Swifty.ObservedLoad) {
        let summary = load.draft.summary
        let inspected = InspectedLoad(
            instance: instance,
            name: summary.name,
            template: summary.template,
            tags: load.draft.tags.sorted(),
            method: summary.method,
            url: summary.url,
            start: Date()
        )
        guard let number = inspector.begin(inspected) else { return }
        running.withLock { $0[load.id] = Running(number: number, draft: load.draft, start: .now) }
    }

    private func add(_ text: String, to load: Swifty.ObservedLoad) {
        let change = running.withLock { running -> (number: Int, event: InspectedLoad.Event)? in
            guard let known = running[load.id], known.events.count < Self.maximumEvents else { return nil }
            let event = InspectedLoad.Event(time: (.now - known.start).milliseconds, text: text)
            running[load.id]?.events.append(event)
            return (known.number, event)
        }
        if let change { inspector.update(change.number) { $0.events.append(change.event) } }
    }

    private func end(_ load: Swifty.ObservedLoad, _ response: NetworkResponse) {
        guard let known = running.withLock({ $0.removeValue(forKey: load.id) }) else { return }
        let record = LoadRecord(draft: known.draft, response: response, events: known.events)
        inspector.end(known.number, record)
    }
}

extension Swifty.Event {
    /// The event in words; `nil` for progress, and for what the outcome says.
    fileprivate var text: String? {
        switch self {
        case .created, .finished: nil
        case .waiting: "waits for constraints"
        case .attemptStarted(let number): "attempt \(number) begins"
        case .intercepted: "request is built, after the request interceptors"
        case .answered(let source): "answered by the cache (\(source))"
        case .rerouted(let peer): "goes to \(peer)"
        case .queued: "waits for admission"
        case .transfer(let event): event.text
        case .redirected(let redirect): "redirected with \(redirect.statusCode) to \(redirect.to)"
        case .attemptEnded(let attempt): "attempt ends: \(attempt.errorCode?.rawValue ?? "\(attempt.statusCode ?? 0)")"
        case .hookIsSlow(let name): "hook is slow: \(name)"
        case .retryScheduled(let wait): "another attempt after \(Int(min(wait.milliseconds, 1e15))) ms"
        }
    }
}

extension TransferEvent {
    fileprivate var text: String? {
        switch self {
        case .connected(_, _, _, let isReused): isReused ? "connection is reused" : "connected"
        case .requestSent: "request is sent"
        case .informational(let status, _): "informational response \(status)"
        case .responseHead(let status, let length):
            "response begins: \(status)" + (length.map { ", \($0) bytes" } ?? "")
        case .progress: nil
        case .trailers: "trailers arrive"
        }
    }
}

extension Duration {
    /// Milliseconds, to the microsecond.
    var milliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
