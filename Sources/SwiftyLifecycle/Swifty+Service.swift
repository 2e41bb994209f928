// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Lifecycle
public import ServiceLifecycle
public import Swifty

/// A `Swifty` as a service of a `ServiceGroup`, which shuts it down with the program.
///
///     let group = ServiceGroup(
///         services: [swifty, server],
///         gracefulShutdownSignals: [.sigterm],
///         logger: logger
///     )
///     try await group.run()
///
/// A group shuts its services down one after the other, the last one first. So what uses the `Swifty`, such as a
/// server, comes after it.
extension Swifty: Service {
    /// Waits until the group shuts down, and then shuts the instance down: later loads fail, those in flight have the
    /// `gracePeriod` of the configuration to finish, and hooks are not waited for.
    ///
    /// If the group cancels the service, loads in flight end at once. ``Swifty/shared`` is not shut down, since its
    /// other users would lose their loads: `run()` then just returns.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            return await shutdown()
        }
        await withTaskCancellationHandler {
            await shutdown(graceful: gracePeriod)
        } onCancel: {
            Task { await shutdown() }
        }
    }
}
#endif
