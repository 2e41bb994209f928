// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Adds TLS to a server that does not support it: a relay decrypts to a second connection, inside the process.
///
/// Whatever the server does to that connection (FIN, RST, silence) happens to the client's.
struct TLSService {
    let context: TLSContext
    let service: LoopbackListener.Service

    func serve(_ number: Int, _ client: StreamSocket) {
        Self.blockBrokenPipes()
        guard isHandshake(client), !fails(number, client) else { return }
        guard let secured = TLSEnd(client, context) else { return client.finishSending() }
        defer { secured.close() }
        guard let (near, far) = try? StreamSocket.connectedPair() else { return }
        let served = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            service(number, near)
            near.close()
            served.signal()
        }
        var relay = Relay(secured, PlainEnd(socket: far))
        relay.run()
        far.close()
        served.wait()
    }

    /// OpenSSL writes to the socket without the flag that suppresses SIGPIPE. The signal stays pending until the thread
    /// of the connection ends.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Whether the client begins a handshake; one that sends HTTP in the clear gets a response in the clear.
    private func isHandshake(_ client: StreamSocket) -> Bool {
        guard let first = client.peekByte() else { return false }
        if first == 0x16 { return true }
        let text = "this port speaks HTTP with TLS\n"
        let head = "HTTP/1.1 400 Bad Request\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
        _ = client.sendAll(Array((head + text).utf8))
        client.finishSending()
        return false
    }

    /// Makes the handshake fail if a fault demands it.
    private func fails(_ number: Int, _ client: StreamSocket) -> Bool {
        switch context.settings.handshakeFault(number) {
        case nil: return false
        case .close: client.finishSending()
        case .reset: client.resetOnClose()
        case .alert:
            // A fatal alert, handshake_failure (RFC 8446 §6).
            _ = client.sendAll([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
            client.finishSending()
        case .stall: client.waitUntilPeerLeaves()
        }
        return true
    }
}
