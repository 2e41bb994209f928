// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The clock of the interface", .timeLimit(.minutes(15)))
struct VirtualClockTests {
    /// A request whose answers come from mocks, on a clock that runs as fast as it can.
    private func withVirtualTime<Result>(
        _ mocks: KeyValuePairs<MockPattern, MockAnswer>,
        _ body: (BaseResource) async throws -> Result
    ) async throws -> (result: Result, time: Duration) {
        let clock = TestClock()
        let transport = MockTransport(mocks, clock: clock)
        let swifty = Swifty(transport: transport) { $0.clock = clock }
        let runner = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                await clock.run()
            }
        }
        defer { runner.cancel() }
        let result = try await body(BaseResource("https://time.example", networkInterface: swifty))
        return (result, clock.now.offset)
    }

    @Test("is that of rates: a slow download takes no time")
    func rates() async throws {
        let text = String(repeating: "x", count: 60)
        let (count, time) = try await withVirtualTime([.get("file"): .text(text), .post("file"): .text("")]) { base in
            _ = try await base.post("file").text(text).limitRate(upload: 1).load()
            let stream = try await base.get("file").limitRate(download: 1).stream()
            return try await stream.reduce(0) { $0 + $1.count }
        }
        #expect(count == 60)
        #expect(time >= .seconds(110))
    }

    @Test("is that of the wait before an event stream connects again")
    func events() async throws {
        let type = ["Content-Type": "text/event-stream"]
        let answers: MockAnswer = .sequence(
            .text("retry: 250000\ndata: 1\n\n", headers: type),
            .status(503, headers: ["Retry-After": "200"]),
            .text("data: 2\n\n", headers: type)
        )
        let (events, time) = try await withVirtualTime([.get("events"): answers]) { base in
            var events: [String] = []
            for try await event in base.get("events").events() {
                events.append(event.data)
                if events.count == 2 { break }
            }
            return events
        }
        #expect(events == ["1", "2"])
        #expect(time >= .seconds(200))
    }

    @Test("is that of the pause before a download continues")
    func downloads() async throws {
        let folder = try TemporaryFolder()
        let validator = ["ETag": "\"v1\""]
        let rest = ["ETag": "\"v1\"", "Content-Range": "bytes 4-9/10"]
        let answers: MockAnswer = .sequence(
            .text("0123456789", headers: validator).cut(after: 4),
            .text("456789", status: 206, headers: rest)
        )
        let (file, time) = try await withVirtualTime([.get("file"): answers]) { base in
            try await base.get("file").download(to: folder.path("file"))
        }
        #expect(file.byteCount == 10)
        #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == "0123456789")
        #expect(time > .zero)
    }

    @Test("is that of retries, limits and the latency of mocks")
    func retries() async throws {
        let answers: MockAnswer = .sequence(.status(503, headers: ["Retry-After": "50"]), .text("fine"))
        let mocks: KeyValuePairs<MockPattern, MockAnswer> = [
            .get("busy"): answers, .get("late"): .text("x").delayed(by: .seconds(7200)),
        ]
        let (error, time) = try await withVirtualTime(mocks) { base in
            let response = try await base.get("busy").retry(2).load()
            #expect(response.string == "fine")
            return await #expect(throws: SwiftyError.self) {
                try await base.get("late").timeout(total: .seconds(3600), idle: .seconds(9000)).load()
            }
        }
        #expect(error?.timeLimit == .total)
        #expect(time >= .seconds(3650))
    }
}
