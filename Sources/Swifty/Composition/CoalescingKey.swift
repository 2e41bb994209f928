// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What two requests must have in common to share a transfer.
struct CoalescingKey: Hashable {
    private let method: HTTPRequest.Method
    private let target: TargetURI
    private let headers: HTTPFields
    private let timeouts: NetworkRequest.Timeouts
    private let connectsTo: HostAndPort?

    /// The key of a request; `nil` if it must have a transfer of its own.
    init?(_ request: NetworkRequest) {
        guard request.method == .get || request.method == .head, request.body == nil, !request.requiresNewConnection
        else { return nil }
        method = request.method
        target = request.target
        headers = request.headers
        connectsTo = request.connectsTo
        // The time that is left differs for every load, and each minds it itself.
        var timeouts = request.timeouts
        timeouts.total = nil
        self.timeouts = timeouts
    }
}
