// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A request as a `RawServer` read it from the wire.
///
/// The bytes are kept as they came; the parsed properties are lenient and never fail, so that a test can look at a
/// request that breaks the rules.
public struct RawRequest: Sendable {
    /// The connection that it came on: 0 for the first that the server accepted.
    public let connection: Int

    /// The request line and the header lines, up to and including the empty line.
    public let head: [UInt8]

    /// The body as it was on the wire, with chunk sizes and trailers if it was chunked.
    public internal(set) var wireBody: [UInt8] = []

    /// The body, without the framing of chunks.
    public internal(set) var body: [UInt8] = []

    init(connection: Int, head: [UInt8]) {
        self.connection = connection
        self.head = head
    }

    /// The head as text.
    public var headText: String { String(decoding: head, as: UTF8.self) }

    /// The body, without the framing of chunks, as text.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The method, as in `GET`.
    public var method: String { requestLine(0) }

    /// The target, as in `/get?a=1`.
    public var target: String { requestLine(1) }

    /// The protocol version, as in `HTTP/1.1`.
    public var version: String { requestLine(2) }

    /// The header fields in their order on the wire, names as sent, values without surrounding blanks.
    public var headers: [(name: String, value: String)] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingBlanks())
        }
    }

    /// The values of a header field, whose name is compared without case, in their order on the wire.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The first value of a header field.
    public subscript(name: String) -> String? { values(of: name).first }

    /// Where the body ends, read as leniently as the rest.
    var framing: BodyFraming {
        if values(of: "Transfer-Encoding").contains(where: { $0.lowercased().contains("chunked") }) { return .chunked }
        guard let length = self["Content-Length"].flatMap({ Int($0) }), length > 0 else { return .none }
        return .length(length)
    }

    private var lines: [Substring] {
        headText.split(omittingEmptySubsequences: true) { $0 == "\r\n" || $0 == "\n" }
    }

    private func requestLine(_ position: Int) -> String {
        let parts = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        return position < parts.count ? String(parts[position]) : ""
    }
}
