// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL

/// A server of HTTP/2 over TLS that floods each connection as fast as the client takes it.
struct FloodServer {
    let flood: Flood
    let port: Int
    /// PEM files.
    let certificate: String
    let key: String

    /// Serves until the process is ended.
    func run() async throws {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
        let key = try NIOSSLPrivateKey(file: key, format: .pem)
        var settings = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
        settings.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: settings)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(FloodHandler(flood))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await server.closeFuture.get()
    }
}

/// Waits for the head of a request, and never reads what comes behind it.
private final class FloodHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let flood: Flood
    private var received: [UInt8] = []
    private var piece: ByteBuffer?

    init(_ flood: Flood) {
        self.flood = flood
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard piece == nil else { return }
        received += unwrapInboundIn(data).readableBytesView
        guard let stream = requestedStream else { return }
        let frames = flood.frames(stream: stream)
        piece = ByteBuffer(bytes: Array(repeating: frames, count: (64 << 10) / frames.count).joined())
        let head = HTTP2Frame.bytes(.settings, 0, []) + HTTP2Frame.bytes(.headers, stream, [0x88], flags: 4)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: head)), promise: nil)
        send(context)
    }

    /// The stream of the first request, behind the 24 bytes of the preface.
    private var requestedStream: UInt8? {
        var start = 24
        while received.count >= start + 9 {
            if received[start + 3] == HTTP2Frame.headers.rawValue { return received[start + 8] }
            start += 9 + Int(received[start]) << 16 + Int(received[start + 1]) << 8 + Int(received[start + 2])
        }
        return nil
    }

    private func send(_ context: ChannelHandlerContext) {
        guard let piece else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(piece)).whenSuccess {
            let (handler, context) = bound.value
            handler.send(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
