// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The parts that generated responses are made of, in Latin-1.
enum OddParts {
    static let otherStatusLines = [
        "HTTP/1.0 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 404 Not Found",
        "HTTP/1.1 200 ", "HTTP/1.1 301", "HTTP/1.1 500 Fehler \u{e4}", "HTTP/1.1 299 A  B", "HTTP/1.0 304 Same",
    ]

    static let statusLines = [
        "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "http/1.1 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
        "HTTP/1.1 200\tOK", "HTTP/2 200 OK", "HTTP/2.0 200 OK", "HTTP/3 200 OK", "HTTP/0.9 200 OK", "HTTP/1.2 200 OK",
        "HTTP/11 200 OK", "HTTP/1.01 200 OK", "HTTP/01.1 200 OK", "HTTP/1,1 200 OK", " HTTP/1.1 200 OK",
        "\r\nHTTP/1.1 200 OK", "\nHTTP/1.1 200 OK", "ICY 200 OK", "RTSP/1.0 200 OK", "HTTP 200 OK", "HTTP/1.1 099 X",
        "HTTP/1.1 000 X", "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 600 X", "HTTP/1.1 999 X", "HTTP/1.1 200 O\0K",
        "HTTP/1.1 200 O\rK", "HTTP/1.1 +200 OK", "HTTP/1.1 -200 OK", "HTTP/1.1 2e2 OK", "HTTP/1.1200 OK", "HTTP/1.1",
        "HTTP/1.1 ", "", "HTTP/1.1 200 \u{1}", "HTTP/1.1 200 \u{7f}", "HTTP/1.1 200OK", "HTTP/1.1 200  OK", "200 OK",
        "GET / HTTP/1.1", "HTTPS/1.1 200 OK",
    ]

    static let informational = [
        "100 Continue\r\nContent-Length: 3", "100 Continue\r\nTransfer-Encoding: chunked", "101 Switching Protocols",
        "100 Continue\r\nConnection: close", "199", "100", "100 Continue\r\n a: b", "103 Hints\r\nno colon",
        "101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade",
    ]

    static let usualFields = [
        "Server: x", "X-A: b", "x-b:c", "X-C:  d  ", "X-D:", "X-E: \u{e9}\u{ff}", "Connection: keep-alive",
        "Connection: close", "X-F: a\tb", "ETag: \"x:y\"", "Set-Cookie: a=b; c", "X-G:\te", "Vary: a, b", "X-$!_.~: 1",
        "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Content-Type: text/html; charset=utf-8", "Keep-Alive: timeout=5",
    ]

    static let fields = [
        "X-A : b", "X-A\t: b", "X A: b", " X-A: b", "\tX-A: b", ": b", "", "no colon", "X\u{1}: b", "X\u{7f}: b",
        "X\u{e9}: b", "X(a): b", "\"X\": b", "X/a: b", "X@a: b", "[X]: b", "X\0: b", "X-A: b\0c", "X-A: b\rc",
        "X-A: b\nc", "X-A: b\r\rc", "X-A: \u{1}", "X-A: b\u{b}c", "X-A: b\u{c}", "X-A: \u{7f}", "X-A: b\u{1b}[0m",
        "X-A: b\r\n c", "X-A: b\r\n\tc", "X-A:\r\n b", "X-A: b\r\n ", "X-A: b\n c", "X-A: b\r\n \r\n c",
        "Connection: Close", "Connection: x, close", "Connection: close, keep-alive",
        "Connection: upgrade\r\nUpgrade: x",
        "Connection:", "Connection: \"close\"", "Connection: closed", "Proxy-Connection: close", "HTTP/1.1 200 OK",
        "Content-Length : 3", "Content-Length\u{b}: 3", "Transfer-Encoding : chunked", "X-A: \u{80}\u{9f}", "X:::",
        "Content-Length", "Transfer-Encoding", "X-Content-Length: 3", "Content-Length-X: 3", "Content_Length: 3",
        "Connection: keep-alive\r\n , close",
    ]

    static let codings = [
        "Transfer-Encoding: Chunked", "Transfer-Encoding:chunked", "Transfer-Encoding:\tchunked\t",
        "Transfer-Encoding: chunked ", "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunkedx", "Transfer-Encoding:", "Transfer-Encoding: chunked,",
        "Transfer-Encoding: ,chunked",
        "Transfer-Encoding: chunked;q=1", "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: gzip",
        "Transfer-Encoding : chunked", "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: chunked\r\n x",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: \u{b}chunked",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chun\0ked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding: chunked\u{1}",
        "transfer-encoding: CHUNKED", "TE: chunked", "Transfer_Encoding: chunked",
    ]

    static func lengths(_ length: String) -> [String] {
        [
            "Content-Length: +\(length)", "Content-Length: -\(length)", "Content-Length: 0x\(length)",
            "Content-Length: 00\(length)", "Content-Length: \(length), \(length)",
            "Content-Length: \(length),\(length)",
            "Content-Length: \(length), 5", "Content-Length: \(length),", "Content-Length: ,\(length)",
            "Content-Length: \(length) \(length)", "Content-Length: \(length).0", "Content-Length: \(length)a",
            "Content-Length:", "Content-Length: ", "Content-Length: 99999999999999999999999", "Content-Length: 1e1",
            "Content-Length: 18446744073709551616", "Content-Length: 9223372036854775808",
            "Content-Length: \(String(repeating: "0", count: 30))\(length)", "Content-Length: \"\(length)\"",
            "Content-Length:\(length)", "content-length:\t\(length)\t", "CONTENT-LENGTH: \(length)   ",
            "Content-Length : \(length)", "Content-Length\t: \(length)", "Content-Length:\r\n \(length)",
            "Content-Length: \(length)\r\n \(length)", "Content-Length: \(length)\r\n ",
            "Content-Length: \u{b}\(length)",
            "Content-Length: \(length)\0", "Content-Length: \(length)\u{c}", "Content-Length: \u{b2}",
            "Content-Length: \(length)\r\nContent-Length: \(length)", "Content-Length: 1\r\nContent-Length: 2",
            "Content-Length: 1_0", "Content-Length: \(length);", "Content-Length: \(length)\rx",
        ]
    }

    static func sizes(_ size: String) -> [String] {
        [
            "0\(size)", "0000000000000000\(size)", "0x\(size)", "+\(size)", "-\(size)", " \(size)", "\t\(size)",
            "\(size) ",
            "\(size)\t", "\(size) ;a", "\(size); a", "\(size);", "\(size);;", "\(size);=", "\(size);a=", "\(size);=b",
            "\(size);a=b=c", "\(size);a=\"b", "\(size);a=\"b\\\"\"", "\(size);a=\"b\"c", "\(size) a", "\(size),a",
            "\(size);a\0", "\(size);a\rb", "\(size);a\nb", "\(size);\u{e9}", "\(size);a = b", "\(size);a=\"\u{e9}\"",
            "\(size).0", "\(size)g", "", ";a", "ffffffffffffffff", "10000000000000000", "7fffffffffffffff", "\(size)\0",
            "8000000000000000", "\(size);a b", "\(size)\u{b}", "\(size);a=\"\u{1}\"",
        ]
    }

    static let lineEnds = [
        "\n", "\r", "\r\r\n", "\n\r", " \r\n", "\t\r\n", "\0\r\n", "\r\n\r\n", "", "x\r\n", "\u{b}\r\n",
    ]

    static let excess = ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "\r\n", "x", "\0", "0\r\n\r\n", "\n"]

    static let insertions = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", ";", ",", "\r\n\r\n", "0\r\n\r\n", "\r\n ", "\u{ff}", "\u{b}", "-",
        "+",
    ]
}
