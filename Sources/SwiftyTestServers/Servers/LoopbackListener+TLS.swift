// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoopbackListener {
    /// Serves connections, with TLS if there are settings for it, and with the faults of new connections. Called once.
    ///
    /// - Throws: ``ServerTLS/UnavailableError``.
    func serve(tls: ServerTLS?, conditions: ServerConditions? = nil, _ service: @escaping Service) throws {
        var outer = service
        if var tls {
            let settled = tls.handshakeFault
            tls.handshakeFault = { conditions?.takeHandshakeFault() ?? settled($0) }
            let secured = TLSService(context: try TLSContext(tls), service: service)
            outer = { secured.serve($0, $1) }
        }
        let inner = outer
        serve { number, socket in
            if let ending = conditions?.takeConnectionFault() { return socket.end(by: ending.outcome) }
            inner(number, socket)
        }
    }
}
