// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Carries requests over a network: the seam between Swifty's pipeline and libcurl, or whatever takes its place.
///
/// A transport sends exactly what it is given, once, and reports exactly what came back. It follows no redirect, stores
/// no cookie, answers no authentication challenge and repeats nothing that must not be repeated: the pipeline decides all of
/// that, so that it is the same over every transport. The one exception is a kept-alive connection that turns out to be dead
/// when an idempotent request goes out on it: a transport may then take another connection by itself.
public protocol Transport: Sendable {
    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// May be called from any task, any number of times at once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cancellation: Ends the transfer early. The transport registers with
    ///     ``LoadCancellation/onCancel(_:)`` and, when called, ends the transfer with an error of the given code.
    /// - Throws: ``SwiftyError`` with the stage that failed and whether the request may have reached the server.
    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse

    /// Ends every transfer with ``SwiftyError/Code/shutdown``, closes all connections, and returns when that is done.
    ///
    /// Later calls of `send` fail with the same code. A second call returns at once.
    func shutdown() async
}
