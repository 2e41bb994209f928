// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("The watch over a peer of HTTP/2", .timeLimit(.minutes(15)))
struct PeerWatchTests {
    private var watch = PeerWatch()

    private func action(at now: Int64, hasRequests: Bool = true) -> PeerWatch.Action {
        watch.action(interval: 15, hasRequests: hasRequests, at: now)
    }

    @Test("sends a PING after a silence, and ends a connection without an answer")
    mutating func silence() {
        #expect(action(at: 5, hasRequests: false) == .wait(.max))
        watch.begin(isFirst: true, at: 100)
        #expect(action(at: 114) == .wait(115))
        #expect(action(at: 115) == .ping)
        watch.ping(at: 115)
        #expect(action(at: 129) == .wait(130))
        #expect(action(at: 130) == .end)
        watch.receive(at: 129)
        #expect(action(at: 130) == .wait(144))
    }

    @Test("does not begin again with each request while a PING has no answer")
    mutating func sequence() {
        watch.receive(at: 10)
        watch.begin(isFirst: true, at: 100)
        let mustPing = watch.reset(isOverdue: true)
        #expect(mustPing)
        watch.ping(at: 105)
        #expect(watch.isSuspected)
        watch.begin(isFirst: true, at: 118)
        #expect(action(at: 119) == .wait(120))
        // Also without a request.
        #expect(action(at: 120, hasRequests: false) == .end)
    }

    @Test("suspects a peer from a request's limit until the next sign")
    mutating func suspicion() {
        watch.begin(isFirst: true, at: 100)
        _ = watch.reset(isOverdue: false)
        #expect(!watch.isSuspected)
        _ = watch.reset(isOverdue: true)
        #expect(watch.isSuspected)
        watch.begin(isFirst: true, at: 103)
        #expect(watch.isSuspected)
        watch.receive(at: 104)
        #expect(!watch.isSuspected)
    }

    @Test("asks a suspected peer for a sign, also before a response has come forward since the last PING")
    mutating func question() {
        _ = watch.reset(isOverdue: false)
        watch.ping(at: 1)
        _ = watch.receiveAnswer()
        watch.receive(at: 2)
        let mustPing = watch.reset(isOverdue: true)
        #expect(mustPing)
        watch.ping(at: 3)
        let mustPingAgain = watch.reset(isOverdue: true)
        #expect(!mustPingAgain)
    }

    @Test("counts streams that were reset until the peer has answered a later PING")
    mutating func resets() {
        watch.receive(at: 1)
        let isFirst = watch.reset(isOverdue: false)
        #expect(isFirst)
        watch.ping(at: 2)
        #expect(watch.resetCount == 1)
        for count in 2...5 {
            let mustPing = watch.reset(isOverdue: false)
            #expect(!mustPing)
            #expect(watch.resetCount == count)
        }
        watch.noteResponse()
        // The resets after the PING need another one.
        let needsAnother = watch.receiveAnswer()
        #expect(needsAnother)
        #expect(watch.resetCount == 4)
        watch.ping(at: 4)
        let needsMore = watch.receiveAnswer()
        #expect(!needsMore)
        #expect(watch.resetCount == 0)
    }

    @Test("sends no PING for a reset before a response has come forward since the last one")
    mutating func pings() {
        _ = watch.reset(isOverdue: false)
        watch.ping(at: 2)
        _ = watch.receiveAnswer()
        for _ in 0..<10 {
            let mustPing = watch.reset(isOverdue: false)
            #expect(!mustPing)
        }
        #expect(watch.resetCount == 0)
        watch.noteResponse()
        let mustPing = watch.reset(isOverdue: false)
        #expect(mustPing)
    }
}
