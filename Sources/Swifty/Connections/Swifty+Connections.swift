// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// Opens connections to an origin before the first loads need them, without sending a request. In a scope of mocks
    /// or of a cassette, it opens none.
    ///
    ///     try await swifty.prewarm("https://inventory.example.com")
    ///
    /// It looks the server up, connects, and makes the handshake of TLS, with the settings, the proxy and the
    /// ``Configuration/reroutes`` that loads have. Servers close connections that they do not need: it is for the
    /// seconds before a service takes its first requests.
    ///
    /// - Parameters:
    ///   - origin: An absolute URL such as `https://example.com`; its path does not matter.
    ///   - count: The number of connections. With 1, an idle connection is enough; with more, all of them are new, and
    ///     replace idle ones beyond the limits of the transport. Over HTTP/2, one carries many loads.
    /// - Throws: ``SwiftyError`` if a connection could not be made, within the `connect` limit of the configuration and
    ///   the deadline of the caller (`withDeadline`).
    public func prewarm(_ origin: String, connections count: Int = 1) async throws(SwiftyError) {
        let request = try makeConnectionRequest(to: origin, isNew: count > 1)
        // A test that replaces the network must not open connections.
        if NetworkScope.current?.testTransport != nil { return }
        let failures = await withTaskGroup(of: SwiftyError?.self) { [transport] group in
            for _ in 0..<max(count, 1) {
                group.addTask { await transport.failureOfPrewarming(request) }
            }
            var failures: [SwiftyError] = []
            for await failure in group { if let failure { failures.append(failure) } }
            return failures
        }
        if let failure = failures.first { throw failure }
    }

    /// The connections of the transport, and the requests that wait for one. Instances that share a transport share its
    /// connections.
    public func connectionStatistics() async -> ConnectionStatistics { await transport.connectionStatistics() }

    private func makeConnectionRequest(to origin: String, isNew: Bool) throws(SwiftyError) -> NetworkRequest {
        if activeLoads.isClosed {
            throw SwiftyError(.shutdown, stage: .queue, reason: "this Swifty was shut down")
        }
        guard let target = try? TargetURI(origin) else {
            let text = Redaction.redact(malformed: origin)
            throw SwiftyError(.invalidURL, stage: .building, reason: "\"\(text)\" is not an http or https URL")
        }
        var request = NetworkRequest(target: target, timeouts: environment.configuration.timeouts)
        request.requiresNewConnection = isNew
        request.connectsTo = try environment.reroutes?.peer(for: target)
        let clock = environment.clock
        let own = Deadline(.call, after: environment.configuration.timeouts.total, clock)
        return request.limited(to: .earlier(own, .ofCaller(clock)), nil)
    }
}

extension Transport {
    /// Opens a connection until the task is cancelled.
    fileprivate func failureOfPrewarming(_ request: NetworkRequest) async -> SwiftyError? {
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            do throws(SwiftyError) {
                try await prewarm(request, cancellation: cancellation)
                return nil
            } catch {
                return error
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
