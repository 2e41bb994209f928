// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Observing and limiting the transfer of the content.
extension ModifiableResource {
    /// Reports the progress of the load.
    ///
    /// The first and the last progress are always reported, those between at most once in the interval. The bytes that
    /// arrive directly before a silence may be reported after it: a transport reports progress in steps, Swifty's of
    /// 64 KiB or 100 ms. A mocked load reports none. Several handlers can be set.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two reports.
    ///   - handler: Called on a thread of the transport, which must not be blocked.
    @discardableResult
    public func onProgress(
        every interval: Duration = .milliseconds(100),
        _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        modify { draft in
            draft.changeTransfer { $0.progressObservers.append(.init(interval: interval, handler: handler)) }
        }
    }

    /// Reports the events of each transfer of the load as they happen: the connection, informational responses such as
    /// 100 and 103 with early hints, the head, the trailers; see ``TransferEvent``.
    ///
    /// - Parameter handler: Called on a thread of the transport, which must not be blocked.
    @discardableResult
    public func onEvent(_ handler: @escaping TransferEvent.Handler) -> Self {
        modify { draft in draft.changeTransfer { $0.eventHandlers.append(handler) } }
    }

    /// Limits the rates of the transfer, in bytes of content a second; `nil` leaves a rate unchanged.
    ///
    /// A rate of zero or less fails the load with ``SwiftyError/Code/invalidSettings``. With a download rate, the size
    /// limit of decoded content applies to every response that is held in memory.
    @discardableResult
    public func limitRate(download: Int? = nil, upload: Int? = nil) -> Self {
        for rate in [download, upload].compactMap(\.self) where rate <= 0 {
            return modify { $0.fail(.invalidSettings, "the rate \(rate) is not a positive number of bytes a second") }
        }
        return limitRate(
            download: download.map { Bandwidth(bytesPerSecond: $0) },
            upload: upload.map { Bandwidth(bytesPerSecond: $0) }
        )
    }

    /// Limits the rates of the transfer to those that it shares with others; `nil` leaves a rate unchanged.
    @discardableResult
    public func limitRate(download: Bandwidth? = nil, upload: Bandwidth? = nil) -> Self {
        modify { draft in
            draft.changeTransfer { values in
                values.download = download ?? values.download
                values.upload = upload ?? values.upload
            }
        }
    }
}
