// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A request line and its header fields, validated as RFC 9112 requires of a server.
///
/// It is strict on purpose: a client under test that frames a request badly must get an error.
struct RequestHead {
    let method: String
    let target: String
    let minorVersion: Int
    let headers: [(name: String, value: String)]
    /// The lines as they were on the wire.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(RequestError) {
        self.bytes = bytes
        var lines = bytes.split(separator: UInt8(ascii: "\n")).map {
            $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
        }
        lines.removeAll(where: \.isEmpty)
        let parts = Self.text(lines.first ?? []).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .malformed("the request line does not have three parts")
        }
        method = String(parts[0])
        target = String(parts[1])
        switch parts[2] {
        case "HTTP/1.1": minorVersion = 1
        case "HTTP/1.0": minorVersion = 0
        default: throw .rejected(status: 505, reason: "the version is not HTTP/1.1")
        }
        var headers: [(name: String, value: String)] = []
        for line in lines.dropFirst() { headers.append(try Self.field(line)) }
        self.headers = headers
        try checkHost()
    }

    /// The values of a header field, in their order on the wire.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The members of a comma-separated header field, in lower case.
    func tokens(of name: String) -> [String] {
        values(of: name).flatMap { $0.split(separator: ",") }.map { $0.trimmingSpacesAndTabs().lowercased() }
    }

    func framing() throws(RequestError) -> ContentFraming {
        let codings = tokens(of: "Transfer-Encoding")
        let lengths = Set(values(of: "Content-Length"))
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw .malformed("both Content-Length and Transfer-Encoding") }
            guard codings == ["chunked"] else { throw .rejected(status: 501, reason: "unknown transfer coding") }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, text.utf8.isDecimal, let length = Int(text) else {
            throw .malformed("Content-Length is not one number")
        }
        return length == 0 ? .none : .length(length)
    }

    /// Whether the client waits for `100 Continue` before sending the content.
    var expectsContinue: Bool { minorVersion > 0 && tokens(of: "Expect").contains("100-continue") }

    /// Whether the client wants to keep using the connection.
    var keepsAlive: Bool {
        let options = tokens(of: "Connection")
        return minorVersion > 0 ? !options.contains("close") : options.contains("keep-alive")
    }

    // MARK: - Parsing

    private static func field(_ line: ArraySlice<UInt8>) throws(RequestError) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw .malformed("a header line without a name")
        }
        let name = line[..<colon]
        guard name.isToken else { throw .malformed("a header name with a forbidden character") }
        return (text(name), String(text(line[(colon + 1)...]).trimmingSpacesAndTabs()))
    }

    private func checkHost() throws(RequestError) {
        let count = values(of: "Host").count
        guard count == 1 || (count == 0 && minorVersion == 0) else { throw .malformed("not exactly one Host field") }
    }

    /// The bytes as UTF-8 if they are valid, as Latin-1 otherwise: every byte must appear in the record.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
