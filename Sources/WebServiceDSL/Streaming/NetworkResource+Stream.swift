// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// Loads the request and returns as soon as the head of its response is accepted; the content is read from the
    /// result.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Parameter function: The calling function, filled in by the compiler.
    /// - Throws: ``SwiftyError`` as ``load(function:)``, for everything before the content. The error of a status that
    ///   is not accepted has up to 1 MiB of the content.
    public func stream(function: StaticString = #function) async throws(SwiftyError) -> ResponseStream {
        try await stream(in: function)
    }

    nonisolated(nonsending) func stream(in function: StaticString?) async throws(SwiftyError) -> ResponseStream {
        let draft = draft(loadedIn: function)
        let interface = draft.interface(insteadOf: networkInterface)
        let cancellation = LoadCancellation()
        // A closure with a typed error is not inferred for `withTaskCancellationHandler`.
        let result = await withTaskCancellationHandler {
            await Self.result { () async throws(SwiftyError) in
                try await interface.stream(draft, cancellation: cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    private nonisolated(nonsending) static func result(
        of body: () async throws(SwiftyError) -> ResponseStream
    ) async -> Result<ResponseStream, SwiftyError> {
        do throws(SwiftyError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
