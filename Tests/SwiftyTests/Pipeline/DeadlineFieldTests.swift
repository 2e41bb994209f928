// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@Suite("The field of a deadline", .timeLimit(.minutes(15)))
struct DeadlineFieldTests {
    private let grpc = DeadlineField.grpcTimeout

    @Test(
        "of gRPC has the smallest unit with room for the time, rounded down",
        arguments: [
            (Duration.nanoseconds(1), "1n"), (.zero, "1n"), (.seconds(-1), "1n"), (.milliseconds(80), "80000000n"),
            (.nanoseconds(99_999_999), "99999999n"), (.milliseconds(100), "100000u"), (.milliseconds(800), "800000u"),
            (.nanoseconds(800_000_999), "800000u"), (.seconds(99 as Int64), "99000000u"),
            (.seconds(100 as Int64), "100000m"),
            (.seconds(100_000 as Int64), "100000S"), (.seconds(100_000_000 as Int64), "1666666M"),
            (.seconds(6_000_000_000 as Int64), "1666666H"), (.seconds(Int64.max), "99999999H"),
        ]
    )
    func format(time: Duration, text: String) {
        #expect(grpc.text(for: time) == text)
    }

    @Test(
        "of gRPC is read in every unit",
        arguments: [
            ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("800m", .milliseconds(800)),
            ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("00000001S", .seconds(1)), ("0m", .zero),
            ("99999999H", .seconds(99_999_999 * 3600)),
        ]
    )
    func read(text: String, time: Duration) {
        #expect(grpc.time(text) == time)
    }

    @Test(
        "that is malformed is nothing",
        arguments: ["", "m", "1", "1x", "1 m", " 1m", "-1m", "+1m", "1.5S", "123456789m", "1mm", "١m", "1s", "1h"]
    )
    func malformed(text: String) {
        #expect(grpc.time(text) == nil)
    }

    @Test("is read as what was written, or a little less")
    func roundTrip() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<2_000 {
            let time = Duration.nanoseconds(Int64(random.next() >> (random.next() % 62 + 1)) + 1)
            let read = try #require(grpc.time(grpc.text(for: time)))
            #expect(read <= time)
            #expect(read > time - time / 99_999_999 - time / 1_000)
        }
    }

    @Test("may have another name and format")
    func own() throws {
        let field = DeadlineField.milliseconds(try #require(HTTPField.Name("X-Time-Left")))
        #expect(field.name.canonicalName == "x-time-left")
        #expect(field.text(for: .microseconds(1_999)) == "1")
        #expect(field.text(for: .microseconds(1)) == "1")
        #expect(field.time("250") == .milliseconds(250))
        #expect(field.time("2 50") == nil)
        #expect(field.time("1e3") == nil)
    }
}
