// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Events of a transfer over TLS and HTTP/2", .timeLimit(.minutes(15)))
struct EventTLSTests {
    @Test("report the handshake once, and come in order for each of many loads on one connection")
    func order() async throws {
        let server = try await NginxServer.start()
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.certificateAuthority)
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: server.port): ["127.0.0.1"]]
            }
        )
        let recorders = (0..<50).map { _ in EventRecorder() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, recorder) in recorders.enumerated() {
                let content = index % 2 == 0 ? nil : Data("content".utf8)
                var request = try NetworkRequest.to(server.url, method: content == nil ? .get : .post, content: content)
                request.onEvent = { recorder.record($0) }
                let prepared = request
                group.addTask { _ = try await transport.load(prepared) }
            }
            try await group.waitForAll()
        }
        for (index, recorder) in recorders.enumerated() {
            let names = recorder.names.dropFirst().filter { $0 != "progress" }
            // nginx may respond before it has the content: then the request was not sent before the head arrived.
            #expect(names == ["sent", "200"] || (index % 2 == 1 && names == ["200"]), "\(recorder.names)")
            guard case .progress(_, 11) = recorder.events.last else {
                Issue.record("no final progress: \(recorder.events)")
                continue
            }
        }
        let isNew = { (recorder: EventRecorder) in recorder.names.first == "connected" }
        #expect(recorders.filter(isNew).count == 1)
        guard case .connected(_, _, let tls, _)? = recorders.first(where: isNew)?.events.first else {
            Issue.record("no connection was new")
            return
        }
        #expect(tls > .zero)
    }
}
