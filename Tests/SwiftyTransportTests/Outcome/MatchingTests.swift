// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A code as a pattern", .timeLimit(.minutes(15)))
struct MatchingTests {
    /// The name of the clause that catches an error of any type.
    private func clause(for error: any Error) -> String {
        do {
            throw error
        } catch .timedOut {
            return "timedOut"
        } catch SwiftyError.Code.cancelled {
            return "cancelled"
        } catch {
            return "other"
        }
    }

    /// The same for errors that are known to be Swifty's.
    private func typedClause(for error: SwiftyError) -> String {
        do throws(SwiftyError) {
            throw error
        } catch .timedOut {
            return "timedOut"
        } catch {
            return error.code.rawValue
        }
    }

    @Test("catches errors with the code, and no others")
    func catches() {
        #expect(clause(for: SwiftyError(.timedOut, stage: .connect)) == "timedOut")
        #expect(clause(for: SwiftyError(.cancelled, stage: .queue)) == "cancelled")
        #expect(clause(for: SwiftyError(.connectionLost, stage: .content)) == "other")
        #expect(clause(for: CancellationError()) == "other")
        #expect(typedClause(for: SwiftyError(.timedOut, stage: .connect)) == "timedOut")
        #expect(typedClause(for: SwiftyError(.connectionLost, stage: .content)) == "connectionLost")
    }

    @Test("is a case of a switch over an error or a code")
    func switches() {
        let error = SwiftyError(.connectionLost, stage: .content)
        let ofError =
            switch error {
            case .timedOut, .connectionLost: true
            default: false
            }
        let ofCode =
            switch error.code {
            case .timedOut, .connectionLost: true
            default: false
            }
        #expect(ofError && ofCode)
    }

    /// An error whose values are members, as in AsyncHTTPClient.
    private struct ForeignError: Error, Equatable {
        let number: Int
        static let timedOut = ForeignError(number: 1)
        static let cancelled = ForeignError(number: 2)
    }

    @Test("leaves the values of other errors alone that have the same names")
    func foreignErrors() {
        let error: any Error = ForeignError.timedOut
        let ofOptional =
            switch error as? ForeignError {
            case .cancelled?: "cancelled"
            case .timedOut?: "timedOut"
            default: "other"
            }
        let ofValue =
            switch ForeignError.cancelled {
            case .timedOut: "timedOut"
            case .cancelled: "cancelled"
            default: "other"
            }
        #expect(ofOptional == "timedOut")
        #expect(ofValue == "cancelled")
    }
}
