// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import SwiftyTransport
import TestSupport
import Testing

/// Failures of every stage as a person reads them: the request, the code, the stage, and one tidy sentence.
@Suite("The description of a failed load", .timeLimit(.minutes(15)))
struct FailureDescriptionTests {
    private struct Mine: Error, CustomStringConvertible {
        let description = " went\r\nwrong  "
    }

    private func isTidy(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == text && text.last != ":"
    }

    private func check(
        _ error: SwiftyError?,
        _ code: SwiftyError.Code,
        _ words: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = error?.description ?? "no error"
        #expect(error?.code == code, "\(text)", sourceLocation: sourceLocation)
        #expect(isTidy(text), "\"\(text)\"", sourceLocation: sourceLocation)
        #expect(error?.request != nil, "\(text)", sourceLocation: sourceLocation)
        #expect(!text.hasPrefix("The request"), "\(text)", sourceLocation: sourceLocation)
        #expect(words.isEmpty || text.contains(words), "\(text)", sourceLocation: sourceLocation)
        if let error { #expect((error as NSError).localizedDescription == text, sourceLocation: sourceLocation) }
    }

    private func failure(
        _ resource: NetworkResource,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self, sourceLocation: sourceLocation) { try await resource.load() }
    }

    @Test("of a request that cannot be made names its error")
    func building() async throws {
        let swifty = Swifty(transport: StubTransport())
        let api = swifty.api
        let folder = FileManager.default.temporaryDirectory.path
        struct Unencodable: Encodable {
            func encode(to encoder: any Encoder) throws { throw Mine() }
        }
        for url in ["", "x", "ftp://a", "https://", "https://u:p@a", "https://a b", "https://a/?x=1#y"] {
            check(await failure(BaseResource(url, networkInterface: swifty).get()), .invalidBaseURL)
        }
        check(await failure(api.get("{x}")), .invalidURL)
        check(await failure(api.get("../x")), .invalidURL)
        check(await failure(api.request("G T")), .invalidMethod)
        check(await failure(api.get().header("", "x")), .invalidHeader)
        check(await failure(api.get().header("X", "a\nb")), .invalidHeader)
        check(await failure(api.get().basic("a:b", "c")), .invalidHeader)
        check(await failure(api.get().query(["a": NSObject.self])), .queryEncodingFailed)
        check(await failure(api.post().fields(["a": NSObject.self])), .fieldsEncodingFailed)
        check(await failure(api.post().json(["a": NSObject.self])), .jsonEncodingFailed)
        check(await failure(api.post().json(Unencodable())), .encodingFailed, "went\\r\\nwrong")
        check(await failure((api.get() as NetworkResource).data(Data())), .contentNotAllowed)
        check(await failure(api.get().timeout(connect: .zero)), .invalidTimeout, "\"connect\" is 0.0 seconds")
        check(await failure(api.get().timeout(.seconds(-1))), .invalidTimeout, "\"total\" is -1.0 seconds")
        check(await failure(api.get().idempotencyKey("")), .invalidHeader)
        check(await failure(api.post().multipart(name: "a\0", value: "")), .invalidHeader)
        check(await failure(api.post().stream(length: 1) { AsyncStream<Data> { $0.finish() } }), .contentUnreadable)
        check(
            await failure(api.post().stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Mine()) } }),
            .contentUnreadable,
            "the content's stream failed"
        )
        check(await failure(api.post().file(folder)), .contentUnreadable, "\(folder) cannot be read: it is a directory")
        check(await failure(api.post().file("/no/such")), .contentUnreadable, "cannot be read: there is no such file")
        check(
            await failure(api.post().multipart(name: "f", file: "/etc/hostname/x")),
            .contentUnreadable,
            "a part of its path is not a directory"
        )
        check(await failure(api.get().mock(file: folder)), .mockUnavailable, "\(folder) cannot be read: it is a direc")
        check(await failure(api.get().mock(file: "/dev/null")), .mockUnavailable, "/dev/null cannot be read: it is not")
    }

    @Test("of a file keeps the system's own error")
    func underlying() async throws {
        let api = Swifty(transport: StubTransport()).api
        let missing = await failure(api.post().file("/no/such"))
        #expect((missing?.underlying as? POSIXError)?.code == .ENOENT)
        let folder = await failure(api.get().mock(file: "/"))
        #expect((folder?.underlying as? POSIXError)?.code == .EISDIR)
    }

    @Test("of a response contains the status, and its phrase if the server sends one")
    func statuses() async throws {
        let rows = [
            (404, "", "404"), (599, "", "599"), (404, "Nope", "404 Nope"), (500, " a  b ", "500 a b"),
        ]
        for (status, phrase, words) in rows {
            let stub = StubTransport { _ in
                TransportResponse(
                    head: ResponseHead(statusCode: status, reasonPhrase: phrase, httpVersion: .http2),
                    content: Data()
                )
            }
            let error = await failure(Swifty(transport: stub).api.get("x"))
            check(error, .unacceptableStatus)
            let start = "GET https://api.example.com/x failed (unacceptableStatus, validation): "
            #expect(error?.description == start + "the server answered \(words)")
        }
    }

    @Test("of hooks, waits and endings names the cause")
    func pipeline() async throws {
        let constraint = TestConstraint { $0.finish(with: Mine()) }
        check(await failure(Swifty(constraints: [constraint]).api.get("x")), .constraintFailed, "wrong")
        for error: any Error in [Mine(), CancellationError(), SwiftyError(.init(rawValue: "mine"), stage: .queue)] {
            let throwing = Swifty(transport: StubTransport()) {
                $0.use(RequestHook { _ in throw error })
            }
            let code = (error as? SwiftyError)?.code ?? (error is CancellationError ? .cancelled : .interceptorFailed)
            check(await failure(throwing.api.get("x")), code)
            let failing = Swifty(transport: StubTransport()) {
                $0.use(ResponseHook { _ in throw error })
            }
            check(await failure(failing.api.get("x")), code)
            let stubbed = Swifty(transport: StubTransport { _ in throw error })
            check(await failure(stubbed.api.get("x")), error is SwiftyError ? code : .connectionFailed)
        }
        for reason in [nil, "", " the  user left "] {
            let stub = StubTransport { _ in
                await untilCancelled()
                return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
            let swifty = Swifty(transport: stub)
            async let error = failure(swifty.api.get("x"))
            try await until { !stub.requests.isEmpty }
            swifty.cancelAllLoads(reason: reason)
            check(await error, .cancelled)
        }
        let closed = Swifty(transport: StubTransport())
        await closed.shutdown()
        check(await failure(closed.api.get("x")), .shutdown)
    }

    @Test("of a load that did not start, because another one failed, names that one")
    func dependencies() async throws {
        let swifty = Swifty(transport: StubTransport(status: 500))
        let graph = LoadGraph()
        let first = graph.add(swifty.api.get("first"))
        let second = graph.add(swifty.api.get("second").decode([Int].self), after: [first])
        check(await first.failure, .unacceptableStatus, "/first failed")
        check(await second.failure, .dependencyFailed, "GET https://api.example.com/second failed (dependencyFailed")
        #expect(await second.failure?.description.contains("GET https://api.example.com/first failed") == true)
    }

    @Test("of OAuth errors is tidy, whatever the server sends")
    func oauth() {
        let errors: [OAuth2.TokenError] = [
            .notLoggedIn, .loggedOut, .refused(code: "", message: nil), .refused(code: "", message: ""),
            .refused(code: "invalid_grant", message: " a  b\r\n"), .unexpectedResponse(statusCode: 500, reason: ""),
            .unexpectedResponse(statusCode: 500, reason: "without  sense "),
        ]
        for error in errors { #expect(isTidy("\(error)"), "\"\(error)\"") }
    }
}
