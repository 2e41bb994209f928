// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The wait of a question for a flight", .timeLimit(.minutes(15)))
struct TurnTests {
    @Test("ends at once if the flight has landed before it")
    func landedBefore() async {
        let turn = Turn()
        turn.come()
        #expect(await turn.wait())
    }

    @Test("ends with one landing, and the next wait with the next one")
    func repeated() async {
        let turn = Turn()
        turn.come()
        #expect(await turn.wait())
        let next = Task { await turn.wait() }
        for _ in 0..<100 { await Task.yield() }
        turn.come()
        #expect(await next.value)
    }

    @Test("ends if the load does not wait any more, before it or during it")
    func ended() async {
        let ended = Turn()
        ended.come()
        ended.end()
        #expect(await !ended.wait())
        let turn = Turn()
        let wait = Task { await turn.wait() }
        for _ in 0..<100 { await Task.yield() }
        turn.end()
        #expect(await !wait.value)
    }
}
