// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A load that was started with a closure, and the means to end it early.
public final class LoadTask: Sendable {
    private let cancellation: LoadCancellation
    private let networkInterface: any NetworkInterface

    init(_ cancellation: LoadCancellation, _ networkInterface: any NetworkInterface) {
        self.cancellation = cancellation
        self.networkInterface = networkInterface
    }

    /// Ends the load; its closure is then called with ``SwiftyError/Code/cancelled``.
    ///
    /// Has no effect on a load that is over. May be called from any thread, any number of times. Letting go of the task
    /// does not cancel it.
    ///
    /// - Parameter reason: what the error says; must not hold secrets.
    public func cancel(reason: String? = nil) {
        cancellation.cancel(reason: reason)
    }

    /// Changes how urgent the load is, while it waits to be sent.
    public func setPriority(_ priority: NetworkRequest.Priority) {
        networkInterface.setPriority(priority, of: cancellation)
    }

    /// Whether the load was cancelled, by this task or otherwise.
    public var isCancelled: Bool { cancellation.code != nil }
}
