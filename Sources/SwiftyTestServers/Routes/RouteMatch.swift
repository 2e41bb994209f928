// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// A request and the handler of its route.
struct RouteMatch: Sendable {
    /// The request as received, with the variables of the path.
    let request: RecordedRequest
    /// The method that the handler serves: GET for a HEAD request to a GET route.
    let method: String
    let handler: Route.Handler

    /// Runs the handler to its end; an error that it throws becomes a 500.
    ///
    /// Called on the connection's thread, which may block: it does not belong to the cooperative pool.
    func respond(on socket: StreamSocket) -> LoopbackResponse {
        var request = request
        request.method = method
        switch handler {
        case .immediate(let handler):
            return Self.response { try handler(request) }
        case .asynchronous(let handler):
            let request = request
            return Self.wait(on: socket) { try await handler(request) }
        }
    }

    private static func response(_ make: () throws -> LoopbackResponse) -> LoopbackResponse {
        do {
            return try make()
        } catch let error as RequestError {
            guard case .rejected(let status, let reason) = error else { return .status(400) }
            return .text("\(reason)\n", status: status)
        } catch {
            return .text("The route failed: \(error)\n", status: 500)
        }
    }

    /// Runs the asynchronous handlers on a Dispatch queue instead of the cooperative pool.
    ///
    /// The pool has as many threads as the machine has cores. A test that blocks them while it waits for a response
    /// would otherwise keep the handler of that response from running.
    private static let executor = QueueExecutor(
        DispatchQueue(label: "SwiftyTesting.handlers", attributes: .concurrent)
    )

    /// Waits for asynchronous code; cancels it if the client leaves or the server stops meanwhile.
    private static func wait(
        on socket: StreamSocket,
        _ handler: @escaping @Sendable () async throws -> LoopbackResponse
    ) -> LoopbackResponse {
        let outcome = Outcome()
        let task = Task(executorPreference: executor) {
            do {
                let response = try await handler()
                outcome.finish(.success(response))
            } catch {
                outcome.finish(.failure(error))
            }
        }
        while outcome.done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            guard socket.hasPeerLeft else { continue }
            task.cancel()
            return .status(500)
        }
        return response { try outcome.get() }
    }

    /// Passes the result of the task to the waiting thread.
    private final class Outcome: Sendable {
        let done = DispatchSemaphore(value: 0)
        private let result = Mutex<Result<LoopbackResponse, any Error>?>(nil)

        func finish(_ value: Result<LoopbackResponse, any Error>) {
            result.withLock { $0 = value }
            done.signal()
        }

        func get() throws -> LoopbackResponse {
            guard let result = result.withLock({ $0 }) else { return .status(500) }
            return try result.get()
        }
    }
}
