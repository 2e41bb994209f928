// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// Loads the request and returns as soon as the head of its response is accepted; the content is read from the
    /// result.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Throws: ``SwiftyError`` as ``load()``, for everything before the content. The error of a status that is not
    ///   accepted has up to 1 MiB of the content.
    public func stream() async throws(SwiftyError) -> ResponseStream {
        try await openStream()
    }

    /// The same, on the caller's executor.
    nonisolated(nonsending) func openStream() async throws(SwiftyError) -> ResponseStream {
        let draft = draft.inCurrentScope()
        let interface = draft.interface(insteadOf: networkInterface)
        let cancellation = LoadCancellation()
        // A closure with a typed error is not inferred for `withTaskCancellationHandler`.
        let result = await withTaskCancellationHandler {
            await Result.of { () async throws(SwiftyError) in
                try await interface.stream(draft, cancellation: cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }
}
