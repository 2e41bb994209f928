// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// An independent request that continues the download with a new link: it keeps the observers of this request, and
    /// the rates and time limits that the link does not set.
    ///
    /// Everything else is that of the new link, which may lead to another server: its fields, credentials and policies.
    func continued(by link: NetworkResource) -> NetworkResource {
        link.withMonotonicProgress().copy().modify { draft in
            draft.timeouts = draft.timeouts.merging(self.draft.timeouts)
            guard let earlier = self.draft.transfer?.values else { return }
            draft.changeTransfer { $0.add(earlier) }
        }
    }
}

extension TransferPolicy.Values {
    /// Adds observers, and rates that are missing.
    fileprivate mutating func add(_ earlier: Self) {
        progressObservers = earlier.progressObservers + progressObservers
        eventHandlers = earlier.eventHandlers + eventHandlers
        download = download ?? earlier.download
        upload = upload ?? earlier.upload
    }
}
