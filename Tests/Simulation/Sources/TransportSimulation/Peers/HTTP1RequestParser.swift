// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Reads requests of HTTP/1.1 by the grammar of RFC 9112, of which it forgives nothing.
struct HTTP1RequestParser {
    struct Head {
        var method = ""
        var target = ""
        var fields: [(name: String, value: String)] = []

        /// The values of a field.
        func values(of name: String) -> [String] {
            fields.filter { $0.name.lowercased() == name }.map(\.value)
        }
    }

    enum Event {
        case head(Head)
        case content(ArraySlice<UInt8>)
        case end
    }

    /// The rule that was broken.
    struct Violation: Error {
        let text: String
    }

    private enum State {
        case head
        /// This many bytes of content are left.
        case plain(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
    }

    private var state = State.head
    private var buffer: [UInt8] = []
    private var position = 0

    /// Whether a request has begun to arrive and is not complete.
    var isWithin: Bool {
        if case .head = state { return position < buffer.count }
        return true
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        buffer.removeFirst(position)
        position = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next event; `nil` until more has arrived.
    mutating func next() throws(Violation) -> Event? {
        while true {
            switch state {
            case .head:
                guard let end = endOfHead else { return nil }
                let head = try parseHead(end)
                try begin(head)
                return .head(head)
            case .plain(let rest):
                guard rest > 0 else { return finish() }
                guard let part = take(rest) else { return nil }
                state = .plain(rest - part.count)
                return .content(part)
            case .chunkSize:
                guard let line = try takeLine() else { return nil }
                let size = try chunkSize(line)
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(let rest):
                guard let part = take(rest) else { return nil }
                state = part.count == rest ? .chunkEnd : .chunk(rest - part.count)
                return .content(part)
            case .chunkEnd:
                guard let line = try takeLine() else { return nil }
                guard line.isEmpty else { throw Violation(text: "a chunk is longer than its size") }
                state = .chunkSize
            case .trailers:
                guard let line = try takeLine() else { return nil }
                guard line.isEmpty else { throw Violation(text: "the request has trailers") }
                return finish()
            }
        }
    }

    private mutating func finish() -> Event {
        state = .head
        return .end
    }

    private mutating func take(_ limit: Int) -> ArraySlice<UInt8>? {
        guard position < buffer.count else { return nil }
        let part = buffer[position..<min(buffer.count, position + limit)]
        position = part.endIndex
        return part
    }
}

// MARK: Lines

extension HTTP1RequestParser {
    private static let lineEnd: [UInt8] = [13, 10]

    private mutating func takeLine() throws(Violation) -> ArraySlice<UInt8>? {
        guard let end = buffer[position...].firstIndex(of: 10) else { return nil }
        let line = buffer[position..<end]
        position = end + 1
        guard line.last == 13 else { throw Violation(text: "a line ends in a bare LF") }
        let content = line.dropLast()
        guard !content.contains(13), !content.contains(0) else { throw Violation(text: "a line holds CR or NUL") }
        return content
    }

    private var endOfHead: Int? {
        var index = position
        while let end = buffer[index...].firstIndex(of: 10) {
            if end == index || end == index + 1 && buffer[index] == 13 { return end + 1 }
            index = end + 1
        }
        return nil
    }

    private mutating func parseHead(_ end: Int) throws(Violation) -> Head {
        guard let line = try takeLine() else { throw Violation(text: "there is no request line") }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1", Self.isToken(parts[0]), parts[1].hasPrefix("/") else {
            throw Violation(text: "the request line is \(String(decoding: line, as: UTF8.self))")
        }
        var head = Head(method: String(parts[0]), target: String(parts[1]))
        while position < end, let line = try takeLine(), !line.isEmpty {
            let text = String(decoding: line, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":"), Self.isToken(text[..<colon]) else {
                throw Violation(text: "a field line is \(text)")
            }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            head.fields.append((String(text[..<colon]), String(value)))
        }
        return head
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private mutating func begin(_ head: Head) throws(Violation) {
        guard head.values(of: "host").count == 1 else { throw Violation(text: "there is not one Host") }
        let lengths = head.values(of: "content-length")
        let codings = head.values(of: "transfer-encoding")
        switch (lengths.count, codings.count) {
        case (0, 0): state = .plain(0)
        case (1, 0):
            guard let length = Int(lengths[0]), length >= 0, lengths[0].utf8.allSatisfy({ 48...57 ~= $0 }) else {
                throw Violation(text: "the length is \(lengths[0])")
            }
            state = .plain(length)
        case (0, 1):
            guard codings[0] == "chunked" else { throw Violation(text: "the coding is \(codings[0])") }
            state = .chunkSize
        default: throw Violation(text: "the content is framed twice")
        }
    }

    private func chunkSize(_ line: ArraySlice<UInt8>) throws(Violation) -> Int {
        let text = String(decoding: line, as: UTF8.self)
        guard let size = Int(text, radix: 16), size >= 0, !text.hasPrefix("+") else {
            throw Violation(text: "the size of a chunk is \(text)")
        }
        return size
    }
}
