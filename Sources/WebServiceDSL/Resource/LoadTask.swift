// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The handle of a load that was started with a closure.
public final class LoadTask: Sendable {
    private let cancellation: LoadCancellation
    private let networkInterface: any NetworkInterface

    init(_ cancellation: LoadCancellation, _ networkInterface: any NetworkInterface) {
        self.cancellation = cancellation
        self.networkInterface = networkInterface
    }

    /// Cancels the load; its closure is then called with ``SwiftyError/Code/cancelled``.
    ///
    /// Has no effect on a load that has finished, or whose response is complete before the transport's thread takes
    /// notice: its closure is called with that response. May be called from any thread, any number of times. Releasing
    /// the task does not cancel the load.
    ///
    /// - Parameter reason: The reason that the error gives; must not contain secrets.
    public func cancel(reason: String? = nil) {
        cancellation.cancel(reason: reason)
    }

    /// Cancels the load with an error of yours, which becomes the underlying one of ``SwiftyError/Code/cancelled``; see
    /// ``cancel(reason:)``.
    ///
    /// - Parameter error: The error. Its description is the reason that the load's error gives, so it must not contain
    ///   secrets.
    public func cancel(with error: any Error) {
        cancellation.cancel(reason: "\(error)", cause: error)
    }

    /// Changes the priority of the load while it waits to be sent. May be called from any thread.
    public func setPriority(_ priority: NetworkRequest.Priority) {
        networkInterface.setPriority(priority, of: cancellation)
    }

    /// Whether the load was cancelled, by this task or in another way, such as the shutdown of its `Swifty`.
    public var isCancelled: Bool { cancellation.code != nil }
}

/// Loads with a closure, which is called exactly once, on the queue of `deliver(on:)` or else the network interface's.
extension NetworkResource {
    /// Loads the request and calls the closure with the outcome.
    @discardableResult
    public func load(completion: @escaping @Sendable (NetworkResponse) -> Void) -> LoadTask {
        load(nil, completion)
    }

    func load(
        _ preparation: ResponsePreparation?,
        _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> LoadTask {
        let draft = draft.inCurrentScope()
        let cancellation = LoadCancellation()
        let interface = draft.interface(insteadOf: networkInterface)
        let queue = draft.deliveryQueue ?? interface.deliveryQueue
        Task {
            let response =
                if let preparation {
                    await interface.load(draft, preparation: preparation, cancellation: cancellation)
                } else {
                    await interface.load(draft, cancellation: cancellation)
                }
            interface.deliver(on: queue) { completion(response) }
        }
        return LoadTask(cancellation, interface)
    }

    /// Loads the request and calls the closure with head, content and error, each `nil` if it is absent.
    @discardableResult
    public func load(
        completion: @escaping @Sendable (_ response: ResponseHead?, _ data: Data?, _ error: SwiftyError?) -> Void
    ) -> LoadTask {
        load { (outcome: NetworkResponse) in
            completion(outcome.head, outcome.data, outcome.error)
        }
    }
}

extension TypedResource {
    /// Loads the request and calls the closure with the value or the error: exactly once, on the queue of
    /// `deliver(on:)` or else the network interface's. The content is decoded on that queue.
    @discardableResult
    public func load(completion: @escaping @Sendable (Result<Value, SwiftyError>) -> Void) -> LoadTask {
        resource.load(reader.preparation) { [reader] outcome in
            completion(Result { () throws(SwiftyError) in try reader.value(of: outcome) })
        }
    }
}
