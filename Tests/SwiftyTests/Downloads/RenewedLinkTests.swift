// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

@Suite("The renewed link of a download", .timeLimit(.minutes(15)))
struct RenewedLinkTests {
    private let slow = Bandwidth(bytesPerSecond: 1)
    private let fast = Bandwidth(bytesPerSecond: 2)

    private func server() -> BaseResource {
        BaseResource("https://api.example.com", networkInterface: Swifty.shared)
    }

    @Test("has the time limits of the download, unless it sets its own")
    func timeouts() {
        let caller = server().get("old").timeout(.seconds(1)).timeout(idle: .seconds(2))
        let link = caller.continued(by: server().get("new").timeout(idle: .seconds(3)))
        #expect(link.draft.timeouts.total == .seconds(1))
        #expect(link.draft.timeouts.idle == .seconds(3))
        #expect(link.draft.template == "new")
        let unlimited = server().get("old").timeout(nil)
        #expect(unlimited.continued(by: server().get("new")).draft.isUnlimited)
        let limited = unlimited.continued(by: server().get("new").timeout(.seconds(1)))
        #expect(!limited.draft.isUnlimited && limited.draft.timeouts.total == .seconds(1))
        #expect(caller.continued(by: server().get("new").timeout(nil)).draft.isUnlimited)
    }

    @Test("has the rates of the download, unless it sets its own")
    func rates() {
        let caller = server().get("old").limitRate(download: slow, upload: slow)
        let link = caller.continued(by: server().get("new").limitRate(upload: fast))
        #expect(link.draft.transfer?.values.download === slow)
        #expect(link.draft.transfer?.values.upload === fast)
    }

    @Test("is observed by the download's observers, and by its own, each once")
    func observers() {
        let names = Recording<String>()
        let caller = server().get("old").onProgress { _ in names.append("caller") }.onEvent { _ in }
        // The same request again, as from a closure that always returns it.
        let link = server().get("new").onProgress { _ in names.append("link") }.onEvent { _ in }
        _ = caller.continued(by: link)
        let values = caller.continued(by: link).draft.transfer?.values
        let progress = TransferProgress(sent: 0, bytesToSend: 0, received: 1, bytesToReceive: 2)
        for observer in values?.progressObservers ?? [] { observer.handler(progress) }
        #expect(names.values == ["caller", "link"])
        #expect(values?.eventHandlers.count == 2)
        #expect(link.draft.transfer?.values.progressObservers.count == 1)
    }

    /// Judges the response of an expired link when the deadline of the caller is past.
    private struct SlowJudge: ResponseInterceptor {
        func intercept(response: NetworkResponse) async throws -> NetworkResponse {
            guard response.statusCode == 403 else { return response }
            while let time = CallerDeadline.remaining, time > .zero { try? await Task.sleep(for: .milliseconds(10)) }
            return response
        }
    }

    @Test("is not asked for after the deadline of the caller")
    func deadline() async throws {
        let folder = try TemporaryFolder()
        let server = try FileServer(FileServer.bytes(10_000)) { number, _, response in
            number == 1 ? response.failing(with: .closeAfter(contentBytes: 1000)) : .status(403)
        }
        let renewals = Counter()
        let policy = DownloadPolicy(renewLink: {
            renewals.increment()
            return server.resource()
        })
        let resource = server.resource().use(SlowJudge())
        let error = await failure {
            try await withDeadline(.seconds(3)) {
                _ = try await resource.download(to: folder.path("a.bin"), policy: policy)
            }
        }
        #expect(error?.statusCode == 403)
        #expect(renewals.value == 0)
        #expect(server.ranges == ["-", "bytes=1000-"])
    }

    @Test("has nothing else of the download")
    func others() {
        let caller = server().get("old").header(.authorization, "secret").tag("a").priority(.high)
        let link = caller.continued(by: server().get("new"))
        #expect(link.draft.headers[.authorization] == nil && link.draft.tags.isEmpty)
        #expect(link.draft.priority == .normal && link.draft.transfer == nil)
    }
}
