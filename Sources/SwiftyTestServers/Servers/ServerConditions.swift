// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The faults that wait for connections and requests of a server, and the conditions of all its responses.
final class ServerConditions: Sendable {
    typealias Fault = LoopbackServer.Fault

    private struct Pending {
        let fault: Fault
        /// `nil` for any.
        let path: String?
    }

    private struct State {
        var pending: [Pending] = []
        var latency = Duration.zero
        var maximumContentBytes = 256 << 20
        var bytesPerSecond: Int?
    }

    /// A fault of a request that has been read up to its head.
    enum RequestFault {
        case duringRequest(contentBytes: Int, LoopbackServer.Ending)
        case inResponse(LoopbackResponse.Fault)
    }

    private let state = Mutex(State())

    var latency: Duration {
        get { state.withLock { $0.latency } }
        set { state.withLock { $0.latency = newValue } }
    }

    var maximumContentBytes: Int {
        get { state.withLock { $0.maximumContentBytes } }
        set { state.withLock { $0.maximumContentBytes = newValue } }
    }

    var bytesPerSecond: Int? {
        get { state.withLock { $0.bytesPerSecond } }
        set { state.withLock { $0.bytesPerSecond = newValue } }
    }

    var pendingFaults: [Fault] { state.withLock { $0.pending.map(\.fault) } }

    func append(_ fault: Fault, count: Int, path: String?) {
        let faults = Array(repeating: Pending(fault: fault, path: path), count: max(0, count))
        state.withLock { $0.pending += faults }
    }

    func removePendingFaults() {
        state.withLock { $0.pending = [] }
    }

    func takeConnectionFault() -> LoopbackServer.Ending? {
        take { if case .connection(let ending) = $0.fault { ending } else { nil } }
    }

    func takeHandshakeFault() -> ServerTLS.HandshakeFault? {
        take { if case .handshake(let fault) = $0.fault { fault } else { nil } }
    }

    func takeRequestFault(path: String) -> RequestFault? {
        take { pending in
            guard pending.path == nil || pending.path == path else { return nil }
            switch pending.fault {
            case .connection, .handshake: return nil
            case .request(let count, let ending): return .duringRequest(contentBytes: max(0, count), ending)
            case .response(let fault): return .inResponse(fault)
            }
        }
    }

    /// Removes the first fault for which `meaning` returns a value, and returns that value.
    private func take<Meaning: Sendable>(_ meaning: (Pending) -> Meaning?) -> Meaning? {
        state.withLock { state in
            for (index, waiting) in state.pending.enumerated() {
                guard let found = meaning(waiting) else { continue }
                state.pending.remove(at: index)
                return found
            }
            return nil
        }
    }

    func apply(to response: LoopbackResponse) -> LoopbackResponse {
        let (latency, rate) = state.withLock { ($0.latency, $0.bytesPerSecond) }
        var response = response
        if latency > .zero { response.delay = (response.delay ?? .zero) + latency }
        if let rate { response.bytesPerSecond = min(rate, response.bytesPerSecond ?? rate) }
        return response
    }
}

extension LoopbackServer.Ending {
    var outcome: ResponseWriter.Outcome {
        switch self {
        case .close: .closes
        case .reset: .resets
        case .stall: .stalls
        }
    }
}
