// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The moment at which a call must be over.
struct Deadline: Sendable {
    let instant: ContinuousClock.Instant

    /// The deadline of a load that starts now; `nil` if its time is not limited.
    init?(of draft: RequestDraft, _ configuration: Swifty.Configuration) {
        guard let total = draft.timeouts.total ?? configuration.timeouts.total else { return nil }
        instant = .now + total
    }

    /// The time that is left.
    ///
    /// - Throws: ``SwiftyError/Code/timedOut`` if there is none.
    func remaining() throws(SwiftyError) -> Duration {
        let remaining = instant - .now
        guard remaining > .zero else {
            throw SwiftyError(.timedOut, stage: .queue, reason: LoadPipeline.reason(of: .timedOut))
        }
        return remaining
    }
}
