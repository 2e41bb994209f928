// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The requests that an HTTP/2 connection gives back, which must wait until nghttp2 has returned.
struct RejectedRequests {
    /// Those that the server has not processed.
    private var unprocessed: [Transfer] = []
    /// Those for which the server has no room.
    private var refusedForRoom: [Transfer] = []

    mutating func addUnprocessed(_ transfer: Transfer) {
        unprocessed.append(transfer)
    }

    mutating func addForRoom(_ transfer: Transfer) {
        refusedForRoom.append(transfer)
    }

    /// Has the requests repeated, each kind in its order.
    mutating func repeatAll(among transfers: ActiveTransfers, at now: Int64) {
        if unprocessed.isEmpty, refusedForRoom.isEmpty { return }
        let (unprocessed, refused) = (unprocessed, refusedForRoom)
        self = RejectedRequests()
        for transfer in unprocessed { transfers.repeatUnprocessed(transfer, at: now) }
        for transfer in refused { transfers.waitForRoom(transfer, at: now) }
    }
}
