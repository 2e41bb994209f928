// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Sends requests by a transport that lets equal ones share a transfer, each alone.
struct UnsharedTransport: Transport {
    let transport: CoalescingTransport

    var capabilities: TransportCapabilities { transport.capabilities }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        try await transport.sendAlone(request, cancellation: cancellation)
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        try await transport.stream(request, cancellation: cancellation)
    }

    func shutdown() async {
        await transport.shutdown()
    }
}
