// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The repetition of a request on the wire", .timeLimit(.minutes(15)))
struct RepetitionTests {
    /// Tells the repetition that a kept connection is lost, with a request that may be repeated unless something is
    /// said.
    private func lose(
        _ repetition: inout Repetition,
        isReused: Bool = true,
        sent: SwiftyError.SentState = .notSent,
        isIdempotent: Bool = true,
        isContentRepeatable: Bool = true
    ) -> Bool {
        repetition.connectionIsLost(
            isReused: isReused,
            sent: sent,
            isIdempotent: isIdempotent,
            isContentRepeatable: isContentRepeatable
        )
    }

    /// Tells the repetition that the server had no room.
    private func refuse(_ repetition: inout Repetition) -> Repetition.Step {
        repetition.serverHasNoRoom(isContentRepeatable: true)
    }

    @Test("follows the loss of a kept connection, once, and on a new one")
    func loss() {
        var repetition = Repetition(demandsNewConnection: false)
        #expect(!repetition.requiresNewConnection)
        #expect(lose(&repetition))
        #expect(repetition.requiresNewConnection)
        #expect(repetition.count == 1)
        #expect(!lose(&repetition))
    }

    @Test("follows a loss only if it is safe", arguments: [SwiftyError.SentState.notSent, .maybeSent, .responded])
    func safety(sent: SwiftyError.SentState) {
        for number in 0..<8 {
            let (isReused, isIdempotent, isContentRepeatable) = (number & 1 != 0, number & 2 != 0, number & 4 != 0)
            var repetition = Repetition(demandsNewConnection: false)
            let isRepeated = lose(
                &repetition,
                isReused: isReused,
                sent: sent,
                isIdempotent: isIdempotent,
                isContentRepeatable: isContentRepeatable
            )
            let isSafe = isReused && isContentRepeatable && (sent == .notSent || isIdempotent)
            #expect(isRepeated == isSafe)
            #expect(repetition.mayHaveBeenSent == (isSafe && sent != .notSent))
            #expect(repetition.count == (isSafe ? 1 : 0))
        }
    }

    @Test("gets another connection once if the server speaks first")
    func speaker() {
        var repetition = Repetition(demandsNewConnection: false)
        let (first, second) = (repetition.serverSpokeFirst(), repetition.serverSpokeFirst())
        #expect(first && !second)
        #expect(repetition.requiresNewConnection)
        #expect(repetition.count == 0)
    }

    @Test("follows five refusals, on any connection, if the content can be sent again", arguments: [true, false])
    func unprocessed(isContentRepeatable: Bool) {
        var repetition = Repetition(demandsNewConnection: false)
        for _ in 0..<5 {
            let step = repetition.isUnprocessed(isReused: false, isContentRepeatable: isContentRepeatable)
            #expect(step == (isContentRepeatable ? .again : .contentIsGone))
        }
        #expect(!repetition.requiresNewConnection)
        #expect(repetition.count == (isContentRepeatable ? 5 : 0))
        let last = repetition.isUnprocessed(isReused: false, isContentRepeatable: isContentRepeatable)
        #expect(last == (isContentRepeatable ? .refused(times: 6) : .contentIsGone))
    }

    @Test("follows two refusals on kept connections, and then takes new ones")
    func unprocessedOnKeptConnections() {
        var repetition = Repetition(demandsNewConnection: false)
        for number in 1...5 {
            #expect(repetition.isUnprocessed(isReused: true, isContentRepeatable: true) == .again)
            #expect(repetition.requiresNewConnection == (number > 2))
        }
        #expect(repetition.isUnprocessed(isReused: true, isContentRepeatable: true) == .refused(times: 6))
    }

    @Test("waits for room twenty times before that counts")
    func room() {
        var repetition = Repetition(demandsNewConnection: false)
        for _ in 0..<25 { #expect(refuse(&repetition) == .again) }
        #expect(repetition.count == 5)
        #expect(refuse(&repetition) == .refused(times: 6))
        for _ in 0..<300 {
            let isAllowed = repetition.waitsForRoom()
            #expect(!isAllowed)
        }
    }

    @Test("does not wait for room if the caller demands new connections")
    func demand() {
        var repetition = Repetition(demandsNewConnection: true)
        for _ in 0..<5 {
            #expect(refuse(&repetition) == .again)
            #expect(repetition.requiresNewConnection)
        }
        #expect(refuse(&repetition) == .refused(times: 6))
    }

    @Test("may follow three losses, if the server had no room in between")
    func lossesAndRoom() {
        var repetition = Repetition(demandsNewConnection: false)
        for count in 1...3 {
            #expect(lose(&repetition))
            #expect(repetition.requiresNewConnection)
            #expect(refuse(&repetition) == .again)
            #expect(!repetition.requiresNewConnection)
            #expect(repetition.count == count)
        }
        #expect(!lose(&repetition))
    }

    @Test("remembers that an earlier attempt may have been sent")
    func sentBefore() {
        var repetition = Repetition(demandsNewConnection: false)
        let (first, step) = (lose(&repetition, sent: .maybeSent), refuse(&repetition))
        let second = lose(&repetition, sent: .notSent)
        #expect(first && step == .again && second)
        #expect(repetition.mayHaveBeenSent)
    }

    @Test("of a request whose expectation failed takes a new connection, and counts")
    func expectation() {
        var repetition = Repetition(demandsNewConnection: false)
        repetition.expectationFailed()
        #expect(repetition.count == 1)
        #expect(repetition.requiresNewConnection)
    }
}
