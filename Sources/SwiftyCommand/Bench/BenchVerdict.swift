// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What a run says about the server: the status of the command, and why.
struct BenchVerdict {
    private let total: Tally
    private let checks: StatusOptions

    init(_ total: Tally, _ checks: StatusOptions) {
        self.total = total
        self.checks = checks
    }

    /// A run in which nothing was answered is none; with `--check-status`, neither is one in which anything failed.
    var status: ExitStatus {
        if total.completed > 0, !checks.checkStatus { return .success }
        if let mostFrequentError { return ExitStatus(of: mostFrequentError) }
        return total.completed == 0 ? .failure : total.statuses.worst
    }

    /// Says on standard error why the status is what it is, and in a pipe that answers were errors.
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
            return Console.note("no load was answered: \(total.cancelled) of \(total.requests) were cancelled")
        }
        Console.note("no load was answered, most failed as \(error)", hint: Hint.text(for: error))
    }

    private var mostFrequentError: SwiftyError? {
        total.errors.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value.example
    }
}
