// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Loads that call back: exactly once, on the queue of `deliver(on:)` or else the network interface's.
extension NetworkResource {
    /// Loads the request and calls back with its outcome.
    @discardableResult
    public func load(
        function: StaticString = #function,
        completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> LoadTask {
        let draft = draft(loadedIn: function)
        let cancellation = LoadCancellation()
        let interface = networkInterface
        let queue = draft.deliveryQueue ?? interface.deliveryQueue
        Task {
            let response = await interface.load(draft, cancellation: cancellation)
            interface.deliver(on: queue) { completion(response) }
        }
        return LoadTask(cancellation, interface)
    }

    /// Loads the request and calls back with head, content and error, each `nil` if there is none.
    @discardableResult
    public func load(
        function: StaticString = #function,
        completion: @escaping @Sendable (_ response: ResponseHead?, _ data: Data?, _ error: SwiftyError?) -> Void
    ) -> LoadTask {
        load(function: function) { (outcome: NetworkResponse) in
            completion(outcome.head, outcome.data, outcome.error)
        }
    }
}

extension TypedResource {
    /// Loads the request and calls back once, with the decoded value or the error, on the queue of `deliver(on:)` or else
    /// the network interface's.
    @discardableResult
    public func load(
        function: StaticString = #function,
        completion: @escaping @Sendable (Result<Value, SwiftyError>) -> Void
    ) -> LoadTask {
        let decoder = self.decoder
        return resource.load(function: function) { (outcome: NetworkResponse) in
            completion(
                Result { () throws(SwiftyError) in
                    if let error = outcome.error { throw error }
                    return try outcome.decode(Value.self, decoder: decoder)
                }
            )
        }
    }
}
