// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("An event stream", .timeLimit(.minutes(15)))
struct EventStreamTests {
    private func resource(_ interface: any NetworkInterface, _ method: String = "GET") -> NetworkResource {
        BaseResource("https://api.example.com", networkInterface: interface).request(method, "events")
    }

    private func stream(
        _ parts: String...,
        status: Int = 200,
        type: String? = "text/event-stream",
        error: SwiftyError? = nil
    ) -> ResponseStream {
        var headers = HTTPFields()
        headers[.contentType] = type
        return ResponseStream(
            head: ResponseHead(statusCode: status, headers: headers),
            request: TargetURI.example.map { NetworkRequest(target: $0) },
            content: PartedContent(parts.map { Data($0.utf8) }, error: error)
        )
    }

    private func failure(status: Int) -> Result<ResponseStream, SwiftyError> {
        var error = SwiftyError(.unacceptableStatus, stage: .validation, sent: .responded)
        error.head = ResponseHead(statusCode: status)
        return .failure(error)
    }

    private let lost = SwiftyError(.connectionLost, stage: .content, sent: .responded)

    @Test("connects again after each end, with the last event ID, until a 204")
    func reconnects() async throws {
        let clock = RecordingClock()
        let interface = StreamingInterface([
            .success(stream("id: 1\ndata: a\n\nid: 2\ndata: b", "\n\nid: 3\ndata: lost")),
            .success(stream("retry: 700\n\ndata: c\n\n", error: lost)),
            .failure(SwiftyError(.connectionFailed, stage: .connect)),
            failure(status: 503),
            .success(stream("data: d\n\n")),
            .success(stream(status: 204, type: nil)),
        ])
        let events = resource(interface).events(policy: EventPolicy(maximumDelay: .seconds(3), clock: clock))
        let received = try await events.collect()
        #expect(received.map(\.data) == ["a", "b", "c", "d"])
        #expect(received.map(\.id) == ["1", "2", "2", "2"])
        let ids = interface.requests.map { $0.headers[.lastEventID] }
        #expect(ids == [nil, "2", "2", "2", "2", "2"])
        let delays = clock.delays
        #expect(delays.count == 5)
        #expect(delays.first == .seconds(3))
        #expect(delays.dropFirst().first == .milliseconds(700))
        #expect(delays.last == .milliseconds(700))
    }

    @Test("asks for events, unless the request says otherwise")
    func fields() async throws {
        let interface = StreamingInterface(stream(status: 204, type: nil), stream(status: 204, type: nil))
        #expect(try await resource(interface).events().collect().isEmpty)
        let other = resource(interface).accept("a/b").removeHeader(.cacheControl).header(
            key: "Last-Event-ID",
            value: "7"
        )
        #expect(try await other.events().collect().isEmpty)
        let headers = interface.requests.map(\.headers)
        #expect(headers.map { $0[.accept] } == ["text/event-stream", "a/b"])
        #expect(headers.map { $0[.cacheControl] } == ["no-store", nil])
        #expect(headers.map { $0[.lastEventID] } == [nil, "7"])
    }

    @Test("does not go back to the caller's ID after one that is empty or cannot be sent", arguments: ["", "\u{1}"])
    func resetID(id: String) async throws {
        let interface = StreamingInterface(
            stream("id: 99\ndata: a\n\nid: \(id)\ndata: b\n\n"),
            stream(status: 204, type: nil)
        )
        let request = resource(interface).header(key: "Last-Event-ID", value: "42")
        let events = try await request.events(policy: EventPolicy(clock: RecordingClock())).collect()
        #expect(events.map(\.id) == ["99", id])
        #expect(interface.requests.map { $0.headers[.lastEventID] } == ["42", nil])
    }

    @Test("does not send an ID that no field can have")
    func strangeID() async throws {
        let interface = StreamingInterface(stream("id: \u{1}\ndata: a\n\n"), stream(status: 204, type: nil))
        let events = resource(interface).events(policy: EventPolicy(clock: RecordingClock()))
        #expect(try await events.collect().map(\.id) == ["\u{1}"])
        #expect(interface.requests.map { $0.headers[.lastEventID] } == [nil, nil])
    }

    @Test(
        "sends an ID without the blanks at its ends, which no field has",
        arguments: [("  x ", " x ", "x"), (" a b", "a b", "a b"), ("  \tx\t", " \tx\t", "x"), ("   ", "  ", nil)]
            as [(String, String, String?)]
    )
    func blankID(line: String, id: String, sent: String?) async throws {
        let interface = StreamingInterface(stream("id:\(line)\ndata: a\n\n"), stream(status: 204, type: nil))
        let events = resource(interface).events(policy: EventPolicy(clock: RecordingClock()))
        #expect(try await events.collect().map(\.id) == [id])
        #expect(interface.requests.map { $0.headers[.lastEventID] } == [nil, sent])
    }

    @Test("of a POST ends with its response, and a cut response is an error")
    func post() async throws {
        let interface = StreamingInterface(stream("data: a\n\n"), stream("data: b\n\n", error: lost))
        let events = resource(interface, "POST").events()
        #expect(try await events.collect().map(\.data) == ["a"])
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "b")
        let error = await #expect(throws: SwiftyError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost)
        #expect(try await iterator.next() == nil)
    }

    @Test("ends at the data that the policy names")
    func sentinel() async throws {
        let content = PartedContent(["data: a\n\ndata: [DONE]\n\ndata: b\n\n", "data: c"].map { Data($0.utf8) })
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        let events = resource(StreamingInterface(stream)).events(policy: EventPolicy(endsAt: "[DONE]"))
        #expect(try await events.collect().map(\.data) == ["a"])
        #expect(content.isCancelled)
    }

    @Test(
        "must have its media type",
        arguments: [
            ("text/event-stream", true), ("Text/Event-Stream ; charset=utf-8", true), ("text/plain", false),
            ("text/event-streams", false), ("", false), (nil, false),
        ]
    )
    func mediaType(type: String?, isAccepted: Bool) async throws {
        let interface = StreamingInterface(stream("data: a\n\n", type: type), stream(status: 204, type: nil))
        let events = resource(interface).events(policy: EventPolicy(clock: RecordingClock()))
        if isAccepted {
            #expect(try await events.collect().map(\.data) == ["a"])
        } else {
            let error = await #expect(throws: SwiftyError.self) { try await events.collect() }
            #expect(error?.code == .malformedResponse)
            #expect(error?.statusCode == 200)
            #expect(interface.requests.count == 1)
        }
    }

    @Test("ends with a status that is not accepted")
    func status() async throws {
        let interface = StreamingInterface([failure(status: 404)])
        let error = await #expect(throws: SwiftyError.self) { try await resource(interface).events().collect() }
        #expect(error?.statusCode == 404)
        #expect(try await resource(StreamingInterface([failure(status: 204)])).events().collect().isEmpty)
    }

    @Test("ends with an event above the limit, and does not connect again")
    func limit() async throws {
        let interface = StreamingInterface(stream("data: a\n\n", "data: 123456789\n\n"))
        let error = await #expect(throws: SwiftyError.self) {
            try await resource(interface).events(policy: EventPolicy(eventLimit: 8)).collect()
        }
        #expect(error?.code == .elementTooLarge)
        #expect(interface.requests.count == 1)
    }

    @Test("stops to wait for a connection when its task is cancelled")
    func cancellation() async throws {
        let interface = StreamingInterface(stream("data: a\n\n"))
        let events = resource(interface).events(policy: EventPolicy(initialDelay: .seconds(100_000)))
        let (received, waits) = (Recording<String>(), Gate())
        let task = Task {
            for try await event in events {
                received.append(event.data)
                waits.open()
            }
        }
        try await until { waits.isOpen }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(received.values == ["a"])
    }

    @Test("gives the values of its data")
    func decoded() async throws {
        struct Delta: Codable, Sendable, Equatable { var text: String }
        let content = "data: {\"text\":\ndata: \"a\"}\n\nevent: odd\ndata: 1\n\ndata: {\"text\":\"b\"}\n\n"
        let interface = StreamingInterface(stream(content))
        var deltas = resource(interface).events(Delta.self).makeAsyncIterator()
        #expect(try await deltas.next() == Delta(text: "a"))
        let error = await #expect(throws: SwiftyError.self) { try await deltas.next() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.hasPrefix("the data of an event \"odd\" is not Delta: ") == true)
        #expect(error?.statusCode == 200)
        #expect(try await deltas.next() == nil)
    }

    @Test("of an open response ends with it")
    func openStream() async throws {
        #expect(try await stream("data: 1\n\ndata: 2\n\n").events(Int.self).collect() == [1, 2])
        #expect(try await stream("data: 1\n\n", "event: x\n\n").events().collect().map(\.data) == ["1"])
    }
}

/// A clock whose sleeps end at once, and are recorded.
private final class RecordingClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant
    private let state: Mutex<(now: Instant, delays: [Duration])> = Mutex((.now, []))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    var delays: [Duration] { state.withLock { $0.delays } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { state in
            state.delays.append(state.now.duration(to: deadline))
            state.now = deadline
        }
    }
}

extension TargetURI {
    fileprivate static let example = try? TargetURI("https://api.example.com/events")
}
