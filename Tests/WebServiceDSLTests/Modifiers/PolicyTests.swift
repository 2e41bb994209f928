// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing
import WebServiceDSL

@Suite("Policies of a request", .timeLimit(.minutes(15)))
struct PolicyTests {
    @Test("are kept in the draft and frozen into the request")
    func kept() async throws {
        let resource = server().get("x").priority(.veryHigh).tag("a").tags(["b", "c"]).name("list").constraints(.none)
            .timeout(.seconds(5)).timeout(connect: .seconds(1), idle: .seconds(2)).deliverOn(thread: .global())
        #expect(resource.hasTag("b"))
        #expect(!resource.hasTag("d"))
        #expect(resource.tags == ["a", "b", "c"])
        #expect(resource.draft.constraints.isEmpty)
        #expect(resource.draft.deliveryQueue != nil)
        let request = try await resource.draft.makeRequest(
            defaultTimeouts: NetworkRequest.Timeouts(connect: .seconds(9), firstByte: .seconds(3))
        )
        #expect(
            request.timeouts
                == NetworkRequest.Timeouts(
                    total: .seconds(5),
                    connect: .seconds(1),
                    firstByte: .seconds(3),
                    idle: .seconds(2)
                )
        )
        #expect(request.priority == .veryHigh)
        #expect(request.name == "list")
    }

    @Test("do not allow a time limit of zero or less", arguments: [Duration.zero, .seconds(-1)])
    func badTimeout(limit: Duration) async throws {
        let error = await #expect(throws: SwiftyError.self) { try await freeze(server().get().timeout(limit)) }
        #expect(error?.code == .invalidTimeout)
    }

    @Test("say which statuses count as success")
    func statuses() {
        #expect(RequestDraft.AcceptedStatuses.successful.contains(299))
        #expect(!RequestDraft.AcceptedStatuses.successful.contains(300))
        #expect(RequestDraft.AcceptedStatuses.any.contains(500))
        #expect(server().get().validate(status: [200, 404]).draft.acceptedStatuses.contains(404))
        #expect(server().get().validate(status: 200..<400).draft.acceptedStatuses.contains(304))
        #expect(server().get().validate(status: 200...204).draft.acceptedStatuses.contains(204))
        #expect(!server().get().validate(status: ..<300).draft.acceptedStatuses.contains(300))
        #expect(server().get().validate(status: .any).draft.acceptedStatuses.contains(99))
    }
}
