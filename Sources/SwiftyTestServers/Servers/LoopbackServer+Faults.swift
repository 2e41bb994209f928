// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoopbackServer {
    /// A fault of one connection or of one request, whatever its route is.
    public enum Fault: Sendable, Hashable {
        /// A new connection ends before anything is read from it, even before the TLS handshake.
        case connection(Ending)

        /// The TLS handshake of a new connection fails. Has no effect on a server without TLS.
        case handshake(ServerTLS.HandshakeFault)

        /// The connection ends when the head of a request and this many bytes of its content have been read.
        ///
        /// The request is recorded with the content that was read. Without content, or with less of it, the connection
        /// ends when the request is complete.
        case request(afterContentBytes: Int = 0, Ending)

        /// The response of the request's route has this fault.
        case response(LoopbackResponse.Fault)
    }

    /// The way in which a connection ends.
    public enum Ending: Sendable, Hashable {
        /// It is closed (FIN).
        case close

        /// It is reset (RST).
        case reset

        /// It stays open, but nothing is read from it or sent any more until the client leaves.
        case stall
    }

    /// Makes the next connections or requests fail.
    ///
    /// Faults of connections, of handshakes and of requests wait in three queues. A connection or a request takes the
    /// first fault that fits, so a call with a `path` leaves requests to other paths alone. May be called at any time,
    /// from any thread.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - count: The number of connections or requests that have it.
    ///   - path: The path of the requests, compared as it was sent, without the query; `nil` for any. Faults of
    ///     connections and handshakes have no path.
    public func failNext(_ fault: Fault, count: Int = 1, path: String? = nil) {
        conditions.append(fault, count: count, path: path)
    }

    /// The faults that have not occurred yet.
    public var pendingFaults: [Fault] { conditions.pendingFaults }

    /// Removes the faults that have not occurred yet.
    public func removePendingFaults() {
        conditions.removePendingFaults()
    }

    /// The additional delay of each response; zero at first.
    public var latency: Duration {
        get { conditions.latency }
        set { conditions.latency = newValue }
    }

    /// The highest rate of the content of each response; `nil`, at first, does not limit it.
    ///
    /// A ``FaultyProxy`` limits the rate of all connections, and of requests too.
    public var bytesPerSecond: Int? {
        get { conditions.bytesPerSecond }
        set { conditions.bytesPerSecond = newValue }
    }
}
