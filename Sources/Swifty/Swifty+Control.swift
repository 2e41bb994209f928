// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// What a program sees of all loads of an instance, and does to them.

extension Swifty {
    /// Counts of the loads of this instance, by outcome and in flight. May be read at any time.
    public var statistics: Statistics {
        var statistics = activeLoads.statistics
        statistics.hooksLeftBehind = environment.watchdog.leftBehind
        return statistics
    }

    /// Counts of the loads that wait for admission and of those in flight, overall and by host.
    public var admissionStatistics: AdmissionStatistics { environment.currentAdmissions.statistics }

    /// The number of constraints that are values and belong to requests. For tests.
    package var valueConstraintCount: Int { environment.valueConstraints.count }

    /// Holds all later requests until ``resume()``; requests in flight continue. Held loads can be cancelled, and their
    /// time limits apply.
    public func pause() {
        environment.currentAdmissions.pause()
    }

    /// Ends a ``pause()``.
    public func resume() {
        environment.currentAdmissions.resume()
    }

    /// The quality of the network, measured by this instance's transfers.
    public var networkQuality: AdmissionPolicy.NetworkQuality { environment.currentAdmissions.quality }

    /// The quality of the network now, and each change of it: by a measurement, by
    /// ``overrideNetworkQuality(_:)``, or because there has been no measurement for two minutes.
    ///
    ///     for await quality in swifty.networkQualityChanges where quality == .poor { showsImages = false }
    ///
    /// Each call makes a stream, which ends with this instance. A slow reader gets the latest quality alone.
    public var networkQualityChanges: AsyncStream<AdmissionPolicy.NetworkQuality> {
        environment.currentAdmissions.qualityChanges
    }

    /// The quality of the network to one origin, measured by this instance's transfers.
    ///
    /// - Parameter origin: An absolute URL such as `https://example.com`; its path does not matter.
    /// - Returns: The quality; ``AdmissionPolicy/NetworkQuality/unknown`` if the text is not an `http` or `https` URL.
    public func networkQuality(of origin: String) -> AdmissionPolicy.NetworkQuality {
        guard let target = try? TargetURI(origin) else { return .unknown }
        return environment.currentAdmissions.quality(ofHost: target.origin)
    }

    /// Sets the quality in place of the measured one, for tests and for platforms that know it.
    ///
    /// - Parameter quality: The quality; `nil` measures again.
    public func overrideNetworkQuality(_ quality: AdmissionPolicy.NetworkQuality?) {
        environment.currentAdmissions.overrideQuality(quality)
    }

    /// Cancels every load with a tag.
    ///
    /// - Parameters:
    ///   - tag: A tag that the requests were given with `tag(_:)`.
    ///   - reason: The reason in the errors; must not hold secrets.
    /// - Returns: The number of cancelled loads.
    @discardableResult
    public func cancelLoads(withTag tag: String, reason: String? = nil) -> Int {
        activeLoads.cancel(tag: tag, with: .cancelled, reason: reason)
    }

    /// Cancels every load. Later loads are not affected.
    ///
    /// - Parameter reason: The reason in the errors; must not hold secrets.
    /// - Returns: The number of cancelled loads.
    @discardableResult
    public func cancelAllLoads(reason: String? = nil) -> Int {
        activeLoads.cancel(tag: nil, with: .cancelled, reason: reason)
    }

    /// Cancels every load with a tag, with an error of yours.
    ///
    /// - Parameters:
    ///   - tag: A tag that the requests were given with `tag(_:)`; `nil` for all loads.
    ///   - error: The underlying error of ``SwiftyError/Code/cancelled``. Its description becomes the reason, so it
    ///     must
    ///     not contain secrets.
    /// - Returns: The number of cancelled loads.
    @discardableResult
    public func cancelLoads(withTag tag: String?, error: any Error) -> Int {
        activeLoads.cancel(tag: tag, with: .cancelled, reason: "\(error)", cause: error)
    }

    /// Whether the instance was shut down, or is about to be: later loads fail with ``SwiftyError/Code/shutdown``;
    /// see ``shutdown(graceful:)`` for those that loads in flight need.
    public var isShutDown: Bool { activeLoads.isClosed }

    /// Refuses later loads, gives loads in flight some time, and then ends them with ``SwiftyError/Code/shutdown``.
    ///
    /// Streams of events (`text/event-stream`) and of values on lines (`application/x-ndjson`) that answer a GET have
    /// no end to wait for: they end at once between two elements, or after the one that is arriving. Loads that hooks
    /// and constraints make, such as that of a new token, are not refused while other loads are in flight, which may
    /// need them; this does not include loads that are made on another queue or in a `Task.detached`.
    ///
    /// Returns when all loads have ended; their closures may be called a moment later. A transport that other instances
    /// share keeps running; the instance's own transport is also shut down, and its threads have ended. A second call
    /// also waits; without a time, it ends the remaining loads immediately. ``shared`` is not shut down, since its
    /// other users would lose their loads.
    ///
    /// - Parameter graceful: The time that loads in flight may take to finish; none by default.
    public func shutdown(graceful: Duration = .zero) async {
        if self === Self.shared { return }
        activeLoads.close()
        if graceful > .zero {
            let loads = activeLoads
            let timer = environment.clock.timer(at: environment.clock.now() + graceful) { loads.end() }
            await activeLoads.drain()
            timer.cancel()
        } else {
            activeLoads.end()
            await activeLoads.drain()
        }
        if !sharesTransport { await transport.shutdown() }
        connectionSampler?.end()
        environment.reportClosedCircuits()
    }

    /// Does ``shutdown(graceful:)``, and accepts meanwhile what the loads of other instances need: the loads of their
    /// hooks and constraints.
    ///
    /// - Parameters:
    ///   - graceful: The time that loads in flight may take to finish, after which all loads are refused.
    ///   - others: Returns when the loads of the other instances have ended. Called at once.
    package func shutdown(graceful: Duration, serving others: @Sendable () async -> Void) async {
        activeLoads.hold()
        async let end: Void = shutdown(graceful: graceful)
        await others()
        activeLoads.release()
        await end
    }

    /// Returns when no load is in flight. Later loads are not refused.
    package func drain() async {
        await activeLoads.drain()
    }
}
