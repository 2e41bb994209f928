// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// One call: makes the request, and prints its response as `send` does.
struct ServiceCall {
    let request: ServiceRequest
    private let options: CallOptions
    private let results: ResultOptions
    private let resource: ServiceResource

    init(_ request: ServiceRequest, _ arguments: [String]) throws {
        let words = try ServiceWords(arguments, for: request.parameters)
        do {
            options = try CallOptions.parse(words.rest)
        } catch {
            let hint = words.suggestion(among: request.parameters) ?? request.usage
            throw UsageError(CallOptions.message(for: error), hint: hint)
        }
        results = try options.results()
        self.request = request
        do {
            resource = try request.make(words.values)
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)", hint: request.usage)
        }
    }

    /// Loads and prints; returns the status to end with.
    func run() async throws -> ExitStatus {
        let scope = CallScope(isDryRun: options.dryRun)
        // An interface that is no `Swifty` has no transport to watch.
        let response = options.dryRun || options.output.verbose ? await scope.run(load) : await load()
        let presenter = Presenter(
            plan: await plan(),
            output: options.output,
            results: results,
            notes: options.notes,
            watched: scope.watched
        )
        if options.dryRun { return try await show(scope.request, after: response, with: presenter) }
        try await presenter.present(Delivery(outcome: response))
        explain(response)
        if Interruption.shared.wasInterrupted { return .interrupted }
        return results.status(of: response) ?? .success
    }

    private func load() async -> NetworkResponse {
        let task = Task { [resource] in await resource.load() }
        Interruption.shared.onInterrupt { task.cancel() }
        return await task.value
    }

    /// What the output says about a request of which the response tells nothing.
    private func plan() async -> RequestPlan {
        let request = try? await resource.draft.makeRequest()
        return RequestPlan(method: resource.draft.method.rawValue, url: request?.target.string ?? "")
    }

    /// Shows the request that was not sent. Its response was empty, so an error after it means nothing.
    private func show(
        _ request: NetworkRequest?,
        after response: NetworkResponse,
        with presenter: Presenter
    ) async throws -> ExitStatus {
        guard let request else {
            if let error = response.error { throw error }
            throw UsageError("A mocked request is not sent.")
        }
        try presenter.showRequest(await request.withShownContent())
        return .success
    }

    /// Writes a failure to standard error, unless the printed response shows it.
    private func explain(_ response: NetworkResponse) {
        if let error = response.error { return Console.note(error.descriptionWithoutHint) }
        let isSeen = options.output.parts(isTerminal: Terminal.isOutput).head && options.format == .text
        guard !isSeen, let status = response.statusCode, status >= 400 else { return }
        options.notes.warn("\(request.name) returned \(status)")
    }
}
