// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A transport that fails every request, and sends nothing.
struct RefusingTransport: Transport {
    let error: SwiftyError
    /// Those of the transport that would have sent the request, so that no other error hides this one.
    let capabilities: TransportCapabilities

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        throw error
    }

    func shutdown() async {}
}
