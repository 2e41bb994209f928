// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ParserDifference {
    /// All classes of differences that are known and right.
    static let table = refused + accepted + understood

    /// Responses that only the peer accepts.
    private static let refused: [ParserDifference] = [
        ParserDifference(
            name: "folded framing field",
            reason: "a reader that takes the folded line for another field sees another length (RFC 9112 §5.2)",
            peers: [.h11],
            ours: "a field that frames the response is folded"
        ),
        ParserDifference(
            name: "Transfer-Encoding in HTTP/1.0",
            reason: "the framing of such a message is faulty (RFC 9112 §6.1)",
            peers: [.h11, .httptools],
            ours: "an HTTP/1.0 response has a Transfer-Encoding",
            pattern: "HTTP/1\\.0"
        ),
        ParserDifference(
            name: "Transfer-Encoding and Content-Length",
            reason: "the response may be the result of response splitting (RFC 9112 §6.3)",
            peers: [.h11],
            ours: "the response has both Content-Length and Transfer-Encoding"
        ),
        ParserDifference(
            name: "Content-Length as a list or in the next line",
            reason: "only the lenient rules accept repeated equal numbers (RFC 9112 §6.3), and none a folded length",
            peers: [.h11],
            ours: "the response's Content-Length is not a number",
            pattern: "(?i)content-length:\\s*(\\d+\\s*,|\\r?\\n)"
        ),
        ParserDifference(
            name: "Content-Length of more than eighteen digits, without content",
            reason: "no such content can exist; h11 counts in integers without a limit",
            peers: [.h11],
            ours: "the response's Content-Length is not a number",
            pattern: "(?i)content-length:\\s*[1-9]\\d{18}"
        ),
        ParserDifference(
            name: "coding other than chunked",
            reason: "the coding was not asked for, and its end is unknown (RFC 9112 §6.1)",
            peers: [.h11, .httptools],
            ours: "the response's Transfer-Encoding is not chunked"
        ),
        ParserDifference(
            name: "incomplete chunk extension",
            reason: "readers that skip extensions differently see other chunks (RFC 9112 §7.1.1)",
            peers: [.h11, .httptools],
            ours: "an extension of a chunk of the response is incomplete"
        ),
        ParserDifference(
            name: "malformed chunk extension",
            reason: "readers that skip extensions differently see other chunks (RFC 9112 §7.1.1)",
            peers: [.h11, .httptools],
            ours: "an extension of a chunk of the response is malformed"
        ),
        ParserDifference(
            name: "bare CR behind a chunk's size",
            reason: "some readers take a bare CR for the end of the line (RFC 9112 §2.2)",
            peers: [.h11],
            ours: "the size of a chunk of the response is followed by a bare CR",
            pattern: "\\r[^\\n]"
        ),
        ParserDifference(
            name: "chunk size of more than sixteen digits, or with a space behind it",
            reason: "the size overflows in some readers, and a space is no part of the grammar (RFC 9112 §7.1)",
            peers: [.h11, .httptools],
            ours: "the size of a chunk of the response is not followed by an extension"
        ),
        ParserDifference(
            name: "other protocol, version, or empty line first",
            reason:
                "a client that has asked in HTTP/1.1 gets 1.1 or 1.0 (RFC 9110 §6.2), and nothing precedes a response",
            peers: [.h11, .httptools],
            ours: "the response's first line is not a status line",
            pattern: "(HTTP/(?!1\\.[01] )\\d\\.\\d|RTSP/|ICE/|^\\r?\\n|\\n\\r?\\nHTTP)"
        ),
        ParserDifference(
            name: "tab behind the coding, and a response that is cut off",
            reason: "see below: llhttp reads until the end of the connection",
            peers: [.httptools],
            ours: ParsedResponse.incomplete,
            pattern: "(?i)transfer-encoding:[ \\t]*chunked[ \\t]*\\t"
        ),
        ParserDifference(
            name: "NUL in the reason phrase",
            reason: "the grammar excludes it (RFC 9112 §4), and C code ends a text there",
            peers: [.httptools],
            ours: "a line of the response's head contains NUL",
            pattern: "\\x00"
        ),
    ]

    /// Responses that only we accept.
    private static let accepted: [ParserDifference] = [
        ParserDifference(
            name: "leading zeros of a length",
            reason: "they are part of the grammar (RFC 9110 §8.6); h11 allows twenty digits and compares texts",
            peers: [.h11],
            theirs: "bad Content-Length",
            pattern: "(?i)content-length:\\s*0{19}"
        ),
        ParserDifference(
            name: "equal lengths, one with leading zeros",
            reason: "the numbers are equal (RFC 9112 §6.3)",
            peers: [.h11],
            theirs: "conflicting Content-Length",
            pattern: "(?i)content-length:\\s*0+\\d"
        ),
        ParserDifference(
            name: "repeated equal lengths",
            reason: "a reader may take them for one (RFC 9112 §6.3)",
            peers: [.httptools],
            theirs: "Duplicate Content-Length",
            pattern: "(?is)content-length:\\s*0*(\\d+).*content-length:\\s*0*\\1"
        ),
        ParserDifference(
            name: "spaces in a chunk extension",
            reason: "the grammar has them (RFC 9112 §7.1.1)",
            peers: [.h11],
            theirs: "illegal chunk header",
            pattern: "[0-9a-fA-F]+[ \\t]+;"
        ),
        ParserDifference(
            name: "spaces in a chunk extension",
            reason: "the grammar has them (RFC 9112 §7.1.1)",
            peers: [.httptools],
            theirs: "Invalid character in chunk",
            pattern: "([ \\t]+[;=]|[;=][ \\t]+)"
        ),
        ParserDifference(
            name: "control character in a value",
            reason: "recipients may keep those other than CR, LF and NUL (RFC 9110 §5.5)",
            peers: [.h11],
            theirs: "illegal header line",
            pattern: "[\\x0b\\x0c]"
        ),
        ParserDifference(
            name: "control character in a value, or empty value with a fold or a bare LF",
            reason: "recipients may keep those other than CR, LF and NUL (RFC 9110 §5.5); see below for the others",
            peers: [.httptools],
            theirs: "Invalid header value char",
            pattern: "([\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]|:[ \\t]*\\r?\\n[ \\t]|:[ \\t]*\\n)"
        ),
        ParserDifference(
            name: "folded value",
            reason: "a user agent replaces a fold with spaces (RFC 9112 §5.2)",
            peers: [.httptools],
            theirs: "Unexpected whitespace after header value",
            pattern: "\\n[ \\t]"
        ),
        ParserDifference(
            name: "white space in the status line",
            reason: "readers may divide it at any white space (RFC 9112 §4); the reason phrase has no meaning",
            peers: [.h11],
            theirs: "illegal status line",
            pattern: "HTTP/1\\.[01] \\d{3}(\\t|[^\\n]*[\\x01-\\x08\\x0b-\\x1f\\x7f])"
        ),
        ParserDifference(
            name: "tab or bare LF behind the status code",
            reason: "readers may divide the line at any white space (RFC 9112 §4), and end it at a bare LF (§2.2)",
            peers: [.httptools],
            theirs: "Invalid response status",
            pattern: "HTTP/1\\.[01] \\d{3}[\\t\\n]"
        ),
        ParserDifference(
            name: "bare LF at the end of a line",
            reason: "a recipient may take it for the end (RFC 9112 §2.2)",
            peers: [.httptools],
            theirs: "Missing expected CR after",
            pattern: "(^|[^\\r])\\n"
        ),
        ParserDifference(
            name: "bare LF at the end of the head",
            reason: "a recipient may take it for the end (RFC 9112 §2.2)",
            peers: [.httptools],
            theirs: "Invalid header field char",
            pattern: "\\n\\n"
        ),
        ParserDifference(
            name: "informational response that closes the connection",
            reason: "a final response follows every informational one (RFC 9110 §15.2)",
            peers: [.httptools],
            theirs: "Data after `Connection: close`",
            pattern: "^HTTP/1\\.[01] 1\\d\\d[\\s\\S]*[Cc]lose"
        ),
    ]

    /// Responses that both accept and understand differently.
    private static let understood: [ParserDifference] = [
        ParserDifference(
            name: "framing fields as they came",
            reason: "h11 joins equal lengths and changes the case of the coding; we change nothing",
            peers: [.h11],
            theirs: "framing fields",
            pattern: "(?is)(content-length.*content-length|transfer-encoding:[ \\t]*(?!(?-i:chunked))chunked)"
        ),
        ParserDifference(
            name: "persistent HTTP/1.0",
            reason: "a recipient that is no proxy may take `keep-alive` for it (RFC 9112 §9.3)",
            peers: [.h11],
            theirs: "reuse",
            pattern: "(?is)HTTP/1\\.0.*connection: keep-alive"
        ),
        ParserDifference(
            name: "close in Proxy-Connection or in the trailers",
            reason: "neither is the Connection field of the head (RFC 9110 §6.5.1)",
            peers: [.httptools],
            theirs: "reuse",
            pattern: "(?is)(Proxy-Connection: close|\\n0+(;[^\\n]*)?\\r\\n.*Connection: (x, )?close)"
        ),
        ParserDifference(
            name: "tab behind the coding",
            reason: "a tab may surround a value (RFC 9110 §5.5); llhttp expects spaces only and reads until the end",
            peers: [.httptools],
            theirs: "content",
            pattern: "(?i)transfer-encoding:[ \\t]*chunked[ \\t]*\\t"
        ),
    ]
}
