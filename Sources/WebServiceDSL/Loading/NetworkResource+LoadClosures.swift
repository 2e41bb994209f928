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

    /// Loads the request and calls one of two closures: with the content (`nil` if it is empty), or with the error.
    @discardableResult
    public func load(
        function: StaticString = #function,
        successBlock: @escaping @Sendable (Data?) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        load(function: function) { (outcome: NetworkResponse) in
            if let error = outcome.error { failureBlock(error) } else { successBlock(outcome.data) }
        }
    }

    /// Loads the request and calls one of two closures: with the JSON object, array or scalar of the content (`nil` if it
    /// is empty), or with the error.
    @discardableResult
    public func loadJSON(
        readingOptions: JSONSerialization.ReadingOptions = [],
        function: StaticString = #function,
        successBlock: @escaping @Sendable (Any?) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        load(function: function) { (outcome: NetworkResponse) in
            do throws(SwiftyError) {
                if let error = outcome.error { throw error }
                successBlock(try outcome.json(options: readingOptions))
            } catch {
                failureBlock(error)
            }
        }
    }

    /// Loads the request and calls one of two closures: with the value decoded of the content, or with the error.
    @discardableResult
    public func loadJSON<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder(),
        function: StaticString = #function,
        successBlock: @escaping @Sendable (Value) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        decode(type, decoder: decoder).load(function: function) { result in
            switch result {
            case .success(let value): successBlock(value)
            case .failure(let error): failureBlock(error)
            }
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
