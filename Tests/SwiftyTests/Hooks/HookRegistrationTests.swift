// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

/// The names that hooks have noted, in order.
private final class Notes: Sendable {
    private let names = Mutex<[String]>([])

    func note(_ name: String) { names.withLock { $0.append(name) } }

    var all: [String] { names.withLock(\.self) }
}

/// A hook of every kind that a value can be.
private struct Everything: AsyncConstraint, RequestInterceptor, ResponseInterceptor, Swifty.Observer,
    AuthenticationChallenge.Handler
{
    let notes: Notes

    func isSatisfied(for resource: NetworkResource) async -> Bool {
        notes.note("constraint")
        return true
    }

    func satisfy(for resource: NetworkResource) async throws {}

    func intercept(resource: NetworkResource) -> NetworkResource {
        notes.note("request")
        return resource
    }

    func intercept(response: NetworkResponse) -> NetworkResponse {
        notes.note("response")
        return response
    }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        if case .created = event { notes.note("observer") }
    }

    func respond(to challenge: AuthenticationChallenge) -> AuthenticationChallenge.Disposition {
        notes.note("challenge")
        return .default
    }
}

private struct Named: RequestInterceptor {
    let name: String
    let notes: Notes

    func intercept(resource: NetworkResource) -> NetworkResource {
        notes.note(name)
        return resource
    }
}

/// Answers every challenge, or none.
private struct Answering: AuthenticationChallenge.Handler {
    let name: String
    let notes: Notes
    let disposition: AuthenticationChallenge.Disposition

    func respond(to challenge: AuthenticationChallenge) -> AuthenticationChallenge.Disposition {
        notes.note(name)
        return disposition
    }
}

private struct Pair: Swifty.HookGroup {
    let hooks: [any Swifty.Hook]
}

@Suite("The registration of hooks", .timeLimit(.minutes(15)))
struct HookRegistrationTests {
    private let notes = Notes()

    /// Demands a password until there is one.
    private let guarded = StubTransport { request in
        let isAllowed = request.headers.contains(.authorization)
        let headers: HTTPFields = isAllowed ? [:] : [.wwwAuthenticate: #"Basic realm="r""#]
        return TransportResponse(
            head: ResponseHead(statusCode: isAllowed ? 200 : 401, headers: headers),
            content: Data()
        )
    }

    @Test("registers a value as every kind of hook that it is")
    func everything() async throws {
        let swifty = Swifty(transport: guarded) { $0.use(Everything(notes: notes)) }
        _ = try? await swifty.api.get("x").load()
        #expect(notes.all == ["observer", "constraint", "request", "challenge", "response"])
    }

    @Test("keeps the order, also of the members of groups and of arrays")
    func order() async throws {
        let named = (1...6).map { Named(name: "\($0)", notes: notes) }
        let swifty = Swifty(transport: StubTransport()) {
            $0.use(named[0], Pair(hooks: [named[1], Pair(hooks: [named[2]])]))
            $0.use([named[3], named[4]])
            $0.use(named[5])
        }
        _ = try await swifty.api.get("x").load()
        #expect(notes.all == ["1", "2", "3", "4", "5", "6"])
    }

    @Test("of several challenge handlers asks one after the other, until one decides")
    func handlers() async throws {
        let swifty = Swifty(transport: guarded) {
            $0.use(Answering(name: "first", notes: notes, disposition: .default))
            $0.use(Answering(name: "second", notes: notes, disposition: .use(.basic(user: "u", password: "p"))))
            $0.use(Answering(name: "third", notes: notes, disposition: .cancel()))
        }
        let response = try await swifty.api.get("x").load()
        #expect(response.statusCode == 200)
        #expect(notes.all == ["first", "second"])
    }
}
