// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// The network interfaces of a batch: one, or one for each host if TLS settings name hosts.
final class InterfacePool: Sendable {
    private let options: RequestOptions
    private let session: Session
    private let interfaces = Mutex<[String: Swifty]>([:])

    init(_ options: RequestOptions, _ session: Session) {
        self.options = options
        self.session = session
    }

    /// The interface for a request.
    func interface(for plan: RequestPlan) throws(UsageError) -> Swifty {
        session.admit(plan)
        let host = options.tls.dependsOnHost ? plan.host : nil
        if let known = interfaces.withLock({ $0[host ?? ""] }) { return known }
        let made = Swifty(
            configuration: try options.configuration(session: session),
            transport: options.transportSettings(host: host)
        )
        return interfaces.withLock { interfaces in
            if let known = interfaces[host ?? ""] { return known }
            interfaces[host ?? ""] = made
            return made
        }
    }

    /// Ends every load.
    func cancelAll() {
        for interface in interfaces.withLock({ Array($0.values) }) { interface.cancelAllLoads(reason: "interrupted") }
    }
}
