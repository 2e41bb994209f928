// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One reading of the pages of a request.
///
/// Each iterator has one. It is used by one task at a time; its release cancels a page that is loaded ahead.
final class PageReader {
    private enum Upcoming {
        case request(RequestDraft)
        case load(Task<NetworkResponse, Never>)
        case failure(SwiftyError)
        case none
    }

    private let interface: any NetworkInterface
    private let prefetches: Bool
    private let preparation: ResponsePreparation?
    private var walk: PageWalk?
    private var upcoming = Upcoming.none

    init(_ pages: PageSource) {
        let draft = pages.resource.draft.inCurrentScope()
        interface = draft.interface(insteadOf: pages.resource.networkInterface)
        prefetches = pages.prefetches
        preparation = pages.preparation
        do throws(SwiftyError) {
            let walk = try PageWalk(draft)
            upcoming = .request(walk.draft)
            self.walk = walk
        } catch {
            upcoming = .failure(error)
        }
    }

    deinit {
        if case .load(let task) = upcoming { task.cancel() }
    }

    /// Waits for the next page; `nil` after the last one, and after an error.
    nonisolated(nonsending) func next() async throws(SwiftyError) -> NetworkResponse? {
        guard let response = try await nextResponse() else { return nil }
        if let error = response.error { throw error }
        guard let step = walk?.step(after: response), step.isDelivered else { return nil }
        prepare(step.next)
        return response
    }

    func end() {
        if case .load(let task) = upcoming { task.cancel() }
        upcoming = .none
    }

    private nonisolated(nonsending) func nextResponse() async throws(SwiftyError) -> NetworkResponse? {
        let upcoming = self.upcoming
        self.upcoming = .none
        switch upcoming {
        case .none: return nil
        case .failure(let error): throw error
        case .request(let draft): return await interface.loadInTask(draft, preparation)
        case .load(let task):
            return await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    private func prepare(_ next: Result<RequestDraft?, SwiftyError>) {
        switch next {
        case .success(nil): upcoming = .none
        case .success(let draft?): upcoming = prefetches ? .load(prefetch(draft)) : .request(draft)
        case .failure(let error): upcoming = .failure(error)
        }
    }

    private func prefetch(_ draft: RequestDraft) -> Task<NetworkResponse, Never> {
        let (interface, preparation) = (interface, preparation)
        return Task { await interface.loadInTask(draft, preparation) }
    }
}

extension NetworkInterface {
    /// Loads a draft; the cancellation of the task ends the load.
    package func loadInTask(
        _ draft: RequestDraft,
        _ preparation: ResponsePreparation? = nil
    ) async -> NetworkResponse {
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            if let preparation { return await load(draft, preparation: preparation, cancellation: cancellation) }
            return await load(draft, cancellation: cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// The request whose pages are read.
struct PageSource: Sendable {
    let resource: NetworkResource
    /// The work that waits on each page; `nil` if there is none.
    let preparation: ResponsePreparation?
    let prefetches: Bool
}
