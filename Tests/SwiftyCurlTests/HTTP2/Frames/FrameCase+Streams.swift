// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension FrameCase {
    private typealias F = FrameBytes

    /// The states of streams, padding, priorities, resets, pushes and the order of CONTINUATION.
    static let streams = states + ended + padding + priorities + resets + pushes + continuations

    private static let states: [FrameCase] = [
        FrameCase("a response", "8.1", F.answer, .success),
        FrameCase("a response without content", "8.1", F.head(F.ok, F.end), .success, text: ""),
        FrameCase("a response with an empty end", "8.1", F.head() + F.data("ok", 0) + F.data(""), .success),
        FrameCase("DATA on the connection", "6.1", F.head() + F.data(on: 0), .connection(1)),
        FrameCase("DATA on an idle stream", "5.1", F.data(on: 101) + F.answer, .connection(1)),
        FrameCase("DATA on an idle stream of the server", "5.1", F.data(on: 2) + F.answer, .connection(1)),
        FrameCase("DATA before HEADERS", "8.1", F.data(), .connection(1), deviation: stricter),
        FrameCase("HEADERS on the connection", "6.2", F.head(on: 0) + F.answer, .connection(1)),
        FrameCase("HEADERS on an idle stream", "5.1.1", F.head(on: 101) + F.answer, .connection(1)),
        FrameCase("HEADERS on a stream of the server", "5.1.1", F.head(on: 2) + F.answer, .connection(1)),
        FrameCase("RST_STREAM on the connection", "6.4", F.reset(8, on: 0) + F.answer, .connection(1)),
        FrameCase("RST_STREAM on an idle stream", "6.4", F.reset(8, on: 101) + F.answer, .connection(1)),
        FrameCase("RST_STREAM on an idle stream of the server", "6.4", F.reset(8, on: 2) + F.answer, .connection(1)),
    ]

    private static let ignored = "nghttp2 ignores frames on streams that have ended; no load sees them"
    static let stricter = "nghttp2 ends the connection instead of the stream"

    private static let ended: [FrameCase] = [
        FrameCase("DATA behind the end", "5.1", F.answer + F.data(), .success, deviation: ignored),
        FrameCase("HEADERS behind the end", "5.1", F.answer + F.head(), .success, deviation: ignored),
        FrameCase("CONTINUATION behind the end", "6.10", F.answer + F.frame(.continuation, 4, F.ok), .end(1)),
        FrameCase("PRIORITY behind the end", "5.1", F.answer + F.frame(.priority, [0, 0, 0, 0, 9]), .success),
        FrameCase("RST_STREAM without an error behind the end", "8.1", F.answer + F.reset(0), .success),
        FrameCase("RST_STREAM with an error behind the end", "5.1", F.answer + F.reset(2), .success),
        FrameCase(
            "DATA behind RST_STREAM",
            "5.1",
            F.reset(2) + F.data(),
            .lost("INTERNAL_ERROR", isReused: true),
            deviation: ignored
        ),
        FrameCase(
            "HEADERS behind RST_STREAM",
            "5.1",
            F.reset(2) + F.head(),
            .lost("INTERNAL_ERROR", isReused: true),
            deviation: ignored
        ),
        FrameCase("RST_STREAM twice", "5.1", F.reset(2) + F.reset(2), .lost("INTERNAL_ERROR", isReused: true)),
        FrameCase("WINDOW_UPDATE behind RST_STREAM", "5.1", F.reset(2) + F.window(1, on: 1), .lost("", isReused: true)),
    ]

    private static let padding: [FrameCase] = [
        FrameCase("padded DATA", "6.1", F.head() + F.data("\u{3}ok\0\0\0", 9), .success),
        FrameCase("DATA with a padding of zero bytes", "6.1", F.head() + F.data("\0ok", 9), .success),
        FrameCase("DATA with 255 bytes of padding", "6.1", F.head() + padded([0x6F, 0x6B]), .success),
        FrameCase("DATA of padding only", "6.1", F.head() + F.data("\u{2}\0\0", 8) + F.data(), .success),
        FrameCase("padding that is not zero", "6.1", F.head() + F.data("\u{2}okab", 9), .success),
        FrameCase(
            "DATA with as much padding as there are bytes",
            "6.1",
            F.head() + F.data("\u{3}ok", 9),
            .connection(1)
        ),
        FrameCase(
            "DATA with more padding than bytes",
            "6.1",
            F.head() + F.frame(.data, 9, [255, 0x6F]),
            .connection(1)
        ),
        FrameCase("padded HEADERS", "6.2", F.head([2] + F.ok + [0, 0], F.padded) + F.data(), .success),
        FrameCase("HEADERS with more padding than bytes", "6.2", F.head([9] + F.ok, F.padded), .connection(1)),
        FrameCase(
            "padded HEADERS with a priority",
            "6.2",
            F.head([1, 0, 0, 0, 0, 9] + F.ok + [0], 0x28) + F.data(),
            .success
        ),
    ]

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        F.frame(.data, 9, [255] + bytes + [UInt8](repeating: 0, count: 255))
    }

    private static let priorities: [FrameCase] = [
        FrameCase("PRIORITY", "6.3", F.frame(.priority, [0, 0, 0, 3, 9]) + F.answer, .success),
        FrameCase(
            "PRIORITY of an idle stream",
            "6.3",
            F.frame(.priority, on: 101, [0, 0, 0, 0, 9]) + F.answer,
            .success
        ),
        FrameCase(
            "PRIORITY on the connection",
            "6.3",
            F.frame(.priority, on: 0, [0, 0, 0, 0, 9]) + F.answer,
            .success,
            deviation: "nghttp2 skips PRIORITY, which this client has declared unused"
        ),
        FrameCase(
            "PRIORITY that depends on itself",
            "5.3.2",
            F.frame(.priority, [0, 0, 0, 1, 9]) + F.answer,
            .success
        ),
        FrameCase(
            "HEADERS with a priority",
            "6.2",
            F.head([0, 0, 0, 0, 9] + F.ok, F.prioritized) + F.data(),
            .success
        ),
        FrameCase(
            "HEADERS that depend on themselves",
            "5.3.2",
            F.head([0, 0, 0, 1, 9] + F.ok, F.prioritized) + F.data(),
            .success
        ),
    ]

    /// Each code of an error, before and behind the head, except for those after which the request is repeated: they
    /// have tests of their own.
    private static let resets: [FrameCase] =
        names.enumerated().filter { $0.element != "REFUSED_STREAM" }.flatMap { code, name in
            let before = FrameCase("\(name) before the head", "6.4", F.reset(UInt32(code)), .lost(name, isReused: true))
            return (name == "HTTP_1_1_REQUIRED" ? [] : [before]) + [
                FrameCase(
                    "\(name) behind the head",
                    "6.4",
                    F.head() + F.data("o", 0) + F.reset(UInt32(code)),
                    .lost(name, isReused: true)
                )
            ]
        } + [FrameCase("an unknown code", "7", F.reset(0xFFFF), .lost("65535", isReused: true))]

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    private static let promise: [UInt8] = F.number(2) + [0x82, 0x84, 0x87] + F.block([(":authority", "localhost")])

    private static let pushes: [FrameCase] = [
        FrameCase("PUSH_PROMISE, which is switched off", "6.6", F.frame(.push, 4, promise) + F.answer, .connection(1)),
        FrameCase(
            "PUSH_PROMISE on the connection",
            "6.6",
            F.frame(.push, 4, on: 0, promise) + F.answer,
            .connection(1)
        ),
        FrameCase(
            "PUSH_PROMISE of a stream of the client",
            "6.6",
            F.frame(.push, 4, F.number(101) + F.ok),
            .connection(1)
        ),
        FrameCase(
            "PUSH_PROMISE on an idle stream",
            "6.6",
            F.frame(.push, 4, on: 101, promise) + F.answer,
            .connection(1)
        ),
        FrameCase("PUSH_PROMISE of 3 bytes", "6.6", F.frame(.push, 4, [0, 0, 2]) + F.answer, .connection(6)),
    ]

    private static let three = F.block([("a", "1"), ("b", "2"), ("c", "3")])

    private static func continuation(_ block: [UInt8], _ flags: UInt8 = 4, on stream: UInt32 = 1) -> [UInt8] {
        F.frame(.continuation, flags, on: stream, block)
    }

    /// Each byte of the fields in a frame of its own.
    private static let single: [UInt8] = [F.ok, three].joined().flatMap { (byte: UInt8) in continuation([byte], 0) }

    private static let continuations: [FrameCase] = [
        FrameCase(
            "HEADERS and CONTINUATION",
            "6.10",
            F.frame(.headers, 0, F.ok) + continuation(three) + F.data(),
            .success
        ),
        FrameCase(
            "CONTINUATION of all fields",
            "6.10",
            F.frame(.headers) + continuation(F.ok + three) + F.data(),
            .success
        ),
        FrameCase(
            "CONTINUATION without a byte",
            "6.10",
            F.frame(.headers, 0, F.ok) + continuation([]) + F.data(),
            .success
        ),
        FrameCase(
            "CONTINUATION for each byte",
            "6.10",
            F.frame(.headers) + single + continuation([]) + F.data(),
            Outcome(error: .malformedResponse, isReused: false),
            deviation: "nghttp2 allows eight at most, and sends no GOAWAY"
        ),
        FrameCase(
            "an end before CONTINUATION",
            "6.10",
            F.frame(.headers, F.end, F.ok) + continuation([]),
            .success,
            text: ""
        ),
        FrameCase(
            "six CONTINUATION",
            "6.10",
            F.frame(.headers) + continuation(F.ok, 0) + continuation(three, 0) + continuation([], 0)
                + continuation([], 0) + continuation([], 0) + continuation([]) + F.data(),
            .success
        ),
        FrameCase("DATA instead of CONTINUATION", "6.10", F.frame(.headers, 0, F.ok) + F.data(), .connection(1)),
        FrameCase("PING instead of CONTINUATION", "6.10", F.frame(.headers, 0, F.ok) + F.ping, .connection(1)),
        FrameCase("HEADERS instead of CONTINUATION", "6.10", F.frame(.headers, 0, F.ok) + F.answer, .connection(1)),
        FrameCase(
            "an unknown frame instead of CONTINUATION",
            "6.10",
            F.frame(.headers, 0, F.ok) + F.frame(.unknown),
            .connection(1)
        ),
        FrameCase(
            "RST_STREAM instead of CONTINUATION",
            "6.10",
            F.frame(.headers, 0, F.ok) + F.reset(8),
            .connection(1)
        ),
        FrameCase(
            "CONTINUATION of another stream",
            "6.10",
            F.frame(.headers, 0, F.ok) + continuation([], on: 3),
            .connection(1)
        ),
        FrameCase(
            "CONTINUATION on the connection",
            "6.10",
            F.frame(.headers, 0, F.ok) + continuation([], on: 0),
            .connection(1)
        ),
        FrameCase("CONTINUATION without HEADERS", "6.10", continuation(F.ok) + F.answer, .connection(1)),
        FrameCase("CONTINUATION of a complete head", "6.10", F.head() + continuation(three), .connection(1)),
        FrameCase(
            "CONTINUATION within the content",
            "6.10",
            F.head() + F.data("o", 0) + continuation([]),
            .connection(1)
        ),
        FrameCase(
            "no CONTINUATION, and the end",
            "6.10",
            F.frame(.headers, 0, F.ok),
            .lost("closed", isReused: false),
            at: .close
        ),
    ]
}
