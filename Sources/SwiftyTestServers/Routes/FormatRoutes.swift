// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

/// Routes with fixed or compressed documents.
enum FormatRoutes {
    @Sendable static func json(_: RecordedRequest) -> LoopbackResponse {
        .json(sample)
    }

    @Sendable static func html(_: RecordedRequest) -> LoopbackResponse {
        .text(page, type: "text/html; charset=utf-8")
    }

    @Sendable static func utf8(_: RecordedRequest) -> LoopbackResponse {
        .text(unicode, type: "text/html; charset=utf-8")
    }

    @Sendable static func gzip(_ request: RecordedRequest) -> LoopbackResponse {
        compressed(request, .gzip, coding: "gzip", flag: "gzipped")
    }

    @Sendable static func deflate(_ request: RecordedRequest) -> LoopbackResponse {
        compressed(request, .deflate, coding: "deflate", flag: "deflated")
    }

    private static func compressed(
        _ request: RecordedRequest,
        _ compression: Compression,
        coding: String,
        flag: String
    ) -> LoopbackResponse {
        var members = EchoRoutes.members(of: request, "headers", "method", "origin")
        members[flag] = true
        let plain = LoopbackResponse.json(members)
        guard case .data(let data) = plain.content, let small = compression.compress(data) else { return .status(500) }
        return .data(small, type: "application/json").header("Content-Encoding", coding)
    }

    private static let sample: EchoValue = [
        "voyage": [
            "title": "A short trip by ferry",
            "date": "2024-05-11",
            "passengers": 12,
            "delayed": false,
            "remarks": .null,
            "stops": [
                ["name": "Harbour", "minutes": 0],
                ["name": "Lighthouse island", "minutes": 25, "facilities": ["café", "museum"]],
                ["name": "North bank", "minutes": 40],
            ],
        ]
    ]

    private static let page = """
        <!DOCTYPE html>
        <html lang="en">
        <head><title>A page to fetch</title></head>
        <body>
        <h1>A page to fetch</h1>
        <p>It is here so that clients have some markup to receive. Nothing else happens on it.</p>
        </body>
        </html>

        """

    private static let unicode = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Unicode</title></head>
        <body><pre>
        Two bytes:    Æther, façade, Ελλάδα, Привет, שלום
        Three bytes:  € 100, 日本語, 한국어, ไทย, ½ ≤ ∞, “quoted”
        Four bytes:   😀 🚲 𝄞 𠜎
        Combining:    e\u{301} = é, n\u{303} = ñ
        Joined:       👩\u{200D}🔬 👨\u{200D}👩\u{200D}👧
        </pre></body>
        </html>

        """
}

/// The content codings of zlib (RFC 9110 §8.4.1).
enum Compression {
    case gzip
    /// The zlib format, which the coding `deflate` means in spite of its name.
    case deflate

    private var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .deflate: 15
        }
    }

    /// The compressed form of `data`; `nil` if zlib fails.
    func compress(_ data: Data) -> Data? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let version = zlibVersion()
        guard deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, version, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        // Safety: zlib reads and writes only within the two buffers, for the time of this one call.
        let result = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return CZlib.deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Data(output.prefix(output.count - Int(stream.avail_out)))
    }
}
