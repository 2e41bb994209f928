// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

import struct Foundation.Date

/// Watches loads for an inspector: those of the instances of one configuration, or of one request.
final class LoadTap: Swifty.Observer {
    private let inspector: Inspector

    init(inspector: Inspector) {
        self.inspector = inspector
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
            instance: load.instance,
            name: summary.name,
            template: summary.template,
            tags: load.draft.tags.sorted(),
            method: summary.method,
            url: summary.url,
            start: Date()
        )
        inspector.running.begin(load, of: self) { inspector.begin(inspected) }
    }

    private func add(_ text: String, to load: Swifty.ObservedLoad) {
        guard let (number, event) = inspector.running.add(text, to: load, of: self) else { return }
        // The outcome may have come first, with all events.
        inspector.update(number) { if $0.outcome == nil { $0.events.append(event) } }
    }

    private func end(_ load: Swifty.ObservedLoad, _ response: NetworkResponse) {
        guard let (number, events) = inspector.running.end(load, of: self) else { return }
        inspector.end(number, LoadRecord(draft: load.draft, response: response, events: events))
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
        case .waitIsLong(let names): "still waits for \(names.joined(separator: ", "))"
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
