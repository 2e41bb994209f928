// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The exit status that results from a run, and its reason.
struct BenchVerdict {
    let total: Tally
    let checks: StatusOptions

    /// A run without any response has failed; with `--check-status`, so has one in which any load failed.
    var status: ExitStatus {
        if total.completed > 0, !checks.checkStatus { return .success }
        if let mostFrequentError { return ExitStatus(of: mostFrequentError) }
        return total.completed == 0 ? .failure : total.statuses.worst
    }

    /// Writes the reason of the status to standard error, and in a pipe also the number of error responses.
    func explain(_ notes: NoteOptions) {
        if total.completed == 0 { return explainNoResponse() }
        if checks.checkStatus, total.failed > 0, let error = mostFrequentError {
            Console.note("\(total.failed) of \(total.requests) loads failed, most as \(error)")
        }
        guard !Terminal.isOutput || checks.checkStatus else { return }
        if let summary = total.statuses.summary(includingRedirects: checks.checkStatus) { notes.warn(summary) }
    }

    private func explainNoResponse() {
        guard let error = mostFrequentError else {
            return Console.note("no load got a response: \(total.cancelled) of \(total.requests) were cancelled")
        }
        Console.note("no load got a response, most failed as \(error)", hint: Hint.text(for: error))
    }

    private var mostFrequentError: SwiftyError? {
        total.errors.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value.example
    }
}
