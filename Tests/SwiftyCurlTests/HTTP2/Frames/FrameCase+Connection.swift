// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension FrameCase {
    private typealias F = FrameBytes

    /// The preface, the format and size of frames, and the frames that concern the connection.
    static let connection = preface + format + sizes + settings + settingsValues + pings + goAways + windows

    private static let preface: [FrameCase] = [
        FrameCase("SETTINGS, then a response", "3.4", F.settings() + F.answer, .success, at: .first),
        FrameCase("a response before SETTINGS", "3.4", F.answer, .connection(1), at: .first),
        FrameCase("PING before SETTINGS", "3.4", F.ping + F.settings() + F.answer, .connection(1), at: .first),
        FrameCase(
            "the acknowledgement of SETTINGS first",
            "3.4",
            F.frame(.settings, F.acknowledgement, on: 0) + F.answer,
            .connection(1),
            at: .first
        ),
        FrameCase("GOAWAY before SETTINGS", "3.4", F.goAway(0, last: 1) + F.answer, .connection(1), at: .first),
        FrameCase("an unknown frame before SETTINGS", "3.4", F.frame(.unknown, on: 0), .connection(1), at: .first),
        FrameCase(
            "the preface of a client",
            "3.4",
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8),
            .connection(1),
            at: .first
        ),
        FrameCase("a response of HTTP/1.1", "3.4", Array("HTTP/1.1 200 OK\r\n\r\n".utf8), .connection(1), at: .first),
        FrameCase(
            "bytes of no protocol",
            "3.4",
            [0xA7, 0x4E, 0xF5, 0x9C, 0x43, 0xEA, 0x91, 0x38, 0xDF, 0x86, 0x2D, 0xD4],
            .connection(1),
            at: .first
        ),
        FrameCase("nothing, and the end", "3.4", [], .lost("closed", isReused: false), at: .close),
    ]

    private static let format: [FrameCase] = [
        FrameCase("an unknown frame on the connection", "5.5", F.frame(.unknown, on: 0) + F.answer, .success),
        FrameCase("an unknown frame on the stream", "5.5", F.frame(.unknown, 0xFF, [1, 2]) + F.answer, .success),
        FrameCase("an unknown frame on an idle stream", "5.5", F.frame(.unknown, on: 101) + F.answer, .success),
        FrameCase("an unknown frame within the content", "5.5", F.head() + F.frame(.unknown) + F.data(), .success),
        FrameCase("ALTSVC, ORIGIN and PRIORITY_UPDATE", "5.5", extensions + F.answer, .success),
        FrameCase(
            "unknown flags of PING",
            "4.1",
            F.frame(.ping, 0xFE, on: 0, eight) + F.answer,
            .success(reply: "PING")
        ),
        FrameCase("unknown flags of HEADERS and DATA", "4.1", F.head(F.ok, 0x52) + F.data("ok", 0xF7), .success),
        FrameCase(
            "unknown flags of SETTINGS",
            "4.1",
            F.frame(.settings, 0xFE, on: 0) + F.answer,
            .success(reply: "SETTINGS")
        ),
        FrameCase(
            "unknown flags of WINDOW_UPDATE",
            "4.1",
            F.frame(.window, 0xFF, on: 0, F.number(9)) + F.answer,
            .success
        ),
        FrameCase(
            "the reserved bit of HEADERS and DATA",
            "4.1",
            F.head(on: reservedFirst) + F.data(on: reservedFirst),
            .success
        ),
        FrameCase(
            "the reserved bit of PING",
            "4.1",
            F.frame(.ping, on: reserved, eight) + F.answer,
            .success(reply: "PING")
        ),
    ]

    private static let reserved: UInt32 = 0x8000_0000
    private static let reservedFirst: UInt32 = 0x8000_0001
    private static let eight = [UInt8](repeating: 7, count: 8)
    /// Frames of RFC 7838, 8336 and 9218 that nothing here uses.
    private static let extensions: [UInt8] = [
        0, 0, 4, 0x0A, 0, 0, 0, 0, 1, 0, 0, 0x68, 0x32, 0, 0, 0, 0x0C, 0, 0, 0, 0, 0,
        0, 0, 7, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x75, 0x3D, 0x31,
    ]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static let sizes: [FrameCase] = [
        FrameCase(
            "DATA of 16,384 bytes",
            "4.2",
            F.head() + F.data(String(repeating: "a", count: 16_384)),
            .success,
            text: String(repeating: "a", count: 16_384)
        ),
        FrameCase(
            "DATA of 16,385 bytes",
            "4.2",
            F.head() + F.data(String(repeating: "a", count: 16_385)),
            .connection(6)
        ),
        FrameCase("HEADERS of 16,385 bytes", "4.2", F.frame(.headers, 5, zeros(16_385)), .connection(6)),
        FrameCase("SETTINGS of 16,386 bytes", "4.2", F.frame(.settings, on: 0, zeros(16_386)), .connection(6)),
        FrameCase("an unknown frame of 16,384 bytes", "4.2", F.frame(.unknown, zeros(16_384)) + F.answer, .success),
        FrameCase(
            "an unknown frame of 16,385 bytes",
            "4.2",
            F.frame(.unknown, zeros(16_385)) + F.answer,
            .connection(6)
        ),
        FrameCase("a frame that announces 16 MiB", "4.2", F.frame(.data, length: 0xFF_FFFF), .connection(6)),
        FrameCase("PRIORITY of 4 bytes", "6.3", F.frame(.priority, zeros(4)) + F.answer, .connection(6)),
        FrameCase("PRIORITY of 6 bytes", "6.3", F.frame(.priority, zeros(6)) + F.answer, .connection(6)),
        FrameCase("RST_STREAM of 3 bytes", "6.4", F.frame(.reset, zeros(3)) + F.answer, .connection(6)),
        FrameCase("RST_STREAM of 5 bytes", "6.4", F.frame(.reset, zeros(5)) + F.answer, .connection(6)),
        FrameCase("SETTINGS of 5 bytes", "6.5", F.frame(.settings, on: 0, zeros(5)) + F.answer, .connection(6)),
        FrameCase(
            "an acknowledgement of 6 bytes",
            "6.5",
            F.frame(.settings, 1, on: 0, zeros(6)) + F.answer,
            .connection(6)
        ),
        FrameCase("PING of 7 bytes", "6.7", F.frame(.ping, on: 0, zeros(7)) + F.answer, .connection(6)),
        FrameCase("PING of 9 bytes", "6.7", F.frame(.ping, on: 0, zeros(9)) + F.answer, .connection(6)),
        FrameCase("PING without a byte", "6.7", F.frame(.ping, on: 0) + F.answer, .connection(6)),
        FrameCase("GOAWAY of 7 bytes", "6.8", F.frame(.goAway, on: 0, zeros(7)) + F.answer, .connection(6)),
        FrameCase("WINDOW_UPDATE of 3 bytes", "6.9", F.frame(.window, on: 0, zeros(3)) + F.answer, .connection(6)),
        FrameCase("WINDOW_UPDATE of 5 bytes", "6.9", F.frame(.window, on: 1, zeros(5)) + F.answer, .connection(6)),
        FrameCase(
            "padded DATA without its length",
            "6.1",
            F.head() + F.frame(.data, 9),
            .connection(1),
            deviation: "nghttp2 names PROTOCOL_ERROR instead"
        ),
        FrameCase(
            "padded HEADERS without its length",
            "6.2",
            F.frame(.headers, 0xD),
            .connection(1),
            deviation: "nghttp2 names PROTOCOL_ERROR instead"
        ),
        FrameCase("HEADERS with 4 bytes of priority", "6.2", F.frame(.headers, 0x25, zeros(4)), .connection(6)),
    ]

    private static let settings: [FrameCase] = [
        FrameCase("SETTINGS are acknowledged", "6.5.3", F.settings((3, 100)) + F.answer, .success(reply: "SETTINGS")),
        FrameCase("SETTINGS on a stream", "6.5", F.frame(.settings, on: 1) + F.answer, .connection(1)),
        FrameCase(
            "an acknowledgement of nothing",
            "6.5.3",
            F.frame(.settings, 1, on: 0) + F.answer,
            .connection(1)
        ),
        FrameCase(
            "SETTINGS within the content",
            "6.5",
            F.head() + F.settings() + F.data(),
            .success(reply: "SETTINGS")
        ),
        FrameCase(
            "one parameter twice",
            "6.5.3",
            F.settings((4, 0), (4, 65_535)) + F.answer,
            .success(reply: "SETTINGS")
        ),
        FrameCase("an unknown parameter", "6.5.2", F.settings((0xFAFA, 1)) + F.answer, .success(reply: "SETTINGS")),
    ]

    /// Parameters with a value, and the code of the error for it; `nil` if it is allowed.
    private static let settingsValues: [FrameCase] = values.map { name, parameter, value, code in
        let outcome = code.map { Outcome.connection($0) } ?? .success(reply: "SETTINGS")
        return FrameCase("\(name) \(value)", "6.5.2", F.settings((parameter, value)) + F.answer, outcome)
    }

    private static let values: [(String, UInt16, UInt32, UInt32?)] = [
        ("HEADER_TABLE_SIZE", 1, 0, nil), ("HEADER_TABLE_SIZE", 1, .max, nil), ("ENABLE_PUSH", 2, 0, nil),
        ("ENABLE_PUSH", 2, 1, 1), ("ENABLE_PUSH", 2, 2, 1), ("INITIAL_WINDOW_SIZE", 4, F.maximum, nil),
        ("INITIAL_WINDOW_SIZE", 4, 0x8000_0000, 3), ("INITIAL_WINDOW_SIZE", 4, .max, 3),
        ("MAX_FRAME_SIZE", 5, 16_384, nil),
        ("MAX_FRAME_SIZE", 5, 16_383, 1), ("MAX_FRAME_SIZE", 5, 0xFF_FFFF, nil), ("MAX_FRAME_SIZE", 5, 0x100_0000, 1),
        ("MAX_HEADER_LIST_SIZE", 6, 0, nil), ("ENABLE_CONNECT_PROTOCOL", 8, 1, nil),
        ("ENABLE_CONNECT_PROTOCOL", 8, 2, 1), ("NO_RFC7540_PRIORITIES", 9, 2, 1),
        ("NO_RFC7540_PRIORITIES, changed to", 9, 1, 1),
    ]

    private static let pings: [FrameCase] = [
        FrameCase("PING is acknowledged", "6.7", F.ping + F.answer, .success(reply: "PING")),
        FrameCase("PING within the content", "6.7", F.head() + F.ping + F.data(), .success(reply: "PING")),
        FrameCase("an acknowledgement of no PING", "6.7", F.frame(.ping, 1, on: 0, eight) + F.answer, .success),
        FrameCase("PING on a stream", "6.7", F.frame(.ping, on: 1, eight) + F.answer, .connection(1)),
    ]

    private static let goAways: [FrameCase] = [
        FrameCase("GOAWAY on a stream", "6.8", F.frame(.goAway, on: 1, zeros(8)) + F.answer, .connection(1)),
        FrameCase("GOAWAY that includes the stream", "6.8", F.goAway(0, last: 1) + F.answer, .last),
        FrameCase("GOAWAY with text", "6.8", F.goAway(0, last: 1, "maintenance") + F.answer, .last),
        FrameCase(
            "GOAWAY in two steps",
            "6.8",
            F.goAway(0, last: F.maximum) + F.goAway(0, last: 1) + F.answer,
            .last
        ),
        FrameCase(
            "GOAWAY with a higher stream than before",
            "6.8",
            F.goAway(0, last: 1) + F.goAway(0, last: 3) + F.answer,
            .connection(1)
        ),
        FrameCase("GOAWAY with a stream of the server", "6.8", F.goAway(0, last: 2) + F.answer, .connection(1)),
        FrameCase("GOAWAY with an error, then the response", "6.8", F.goAway(2, last: 1) + F.answer, .last),
        FrameCase(
            "GOAWAY with an error, and the end",
            "6.8",
            F.goAway(2, last: 1),
            .lost("INTERNAL_ERROR", isReused: false),
            at: .close
        ),
        FrameCase(
            "GOAWAY that asks for calm, and the end",
            "6.8",
            F.goAway(11, last: 1),
            .lost("ENHANCE_YOUR_CALM", isReused: false),
            at: .close
        ),
        FrameCase(
            "GOAWAY with an unknown code, and the end",
            "7",
            F.goAway(0xFFFF, last: 1),
            .lost("65535", isReused: false),
            at: .close
        ),
        FrameCase(
            "GOAWAY within the content, and the end",
            "6.8",
            F.head() + F.goAway(0, last: 1),
            .lost("", isReused: false),
            at: .close
        ),
    ]

    private static let windows: [FrameCase] = [
        FrameCase(
            "WINDOW_UPDATE for both windows",
            "6.9",
            F.window(1, on: 0) + F.window(1, on: 1) + F.answer,
            .success
        ),
        FrameCase("WINDOW_UPDATE with the reserved bit", "6.9", F.window(reservedFirst, on: 0) + F.answer, .success),
        FrameCase("WINDOW_UPDATE by zero", "6.9", F.window(0, on: 0) + F.answer, .connection(1)),
        FrameCase(
            "WINDOW_UPDATE of the stream by zero",
            "6.9",
            F.window(0, on: 1) + F.answer,
            .connection(1),
            deviation: stricter
        ),
        FrameCase("WINDOW_UPDATE of an idle stream", "5.1", F.window(1, on: 101) + F.answer, .connection(1)),
        FrameCase("WINDOW_UPDATE of an ended stream", "5.1", F.answer + F.window(1, on: 1), .success),
        FrameCase("an overflow of the window", "6.9.1", F.window(F.maximum, on: 0) + F.answer, .connection(3)),
        FrameCase("an overflow of the stream's window", "6.9.1", F.window(F.maximum, on: 1) + F.answer, .stream(3)),
        FrameCase(
            "an overflow of the stream's window by SETTINGS",
            "6.9.2",
            F.window(0x4000_0000, on: 1) + F.settings((4, F.maximum)) + F.answer,
            .connection(3)
        ),
    ]
}
