// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// A request without a response. It ends once.
// Safety: the one thread of the simulation uses it.
final class OpenRequest: @unchecked Sendable {
    private var continuation: CheckedContinuation<Result<TransportResponse, SwiftyError>, Never>?
    private(set) var result: Result<TransportResponse, SwiftyError>?
    /// Whether the server has done what was asked for.
    var isProcessed = false

    func end(_ result: Result<TransportResponse, SwiftyError>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// Waits for the end, also for that by its cancellation or by the total limit of the request.
    func value(
        of request: NetworkRequest,
        _ cancellation: LoadCancellation,
        _ world: World
    ) async -> Result<TransportResponse, SwiftyError> {
        let registration = cancellation.onCancel { self.fail(with: $0) }
        let timer = request.timeouts.total.map { total in
            world.after(total.nanoseconds) { self.fail(with: .timedOut, limit: .total) }
        }
        defer {
            cancellation.remove(registration)
            if let timer { world.cancel(timer) }
        }
        if let result { return result }
        return await withCheckedContinuation { continuation = $0 }
    }

    private func fail(with code: SwiftyError.Code, limit: SwiftyError.TimeLimit? = nil) {
        var error = SwiftyError(code, stage: .firstByte, sent: isProcessed ? .maybeSent : .notSent)
        error.timeLimit = limit
        end(.failure(error))
    }
}
