// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// An independent request by which a download goes on in place of this one: it keeps the observers, and the rates
    /// and time limits that it does not set itself.
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
