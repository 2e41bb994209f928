// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Result where Failure == SwiftyError {
    /// The outcome of asynchronous work, which runs where the caller runs.
    package nonisolated(nonsending) static func of(
        _ work: nonisolated(nonsending) () async throws(SwiftyError) -> Success
    ) async -> Result {
        do throws(SwiftyError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}
