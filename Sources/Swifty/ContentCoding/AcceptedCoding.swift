// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// A coding that responses may have: one that is built in, or one of the user's own.
enum AcceptedCoding {
    case builtIn(ContentCoding)
    case custom(any CustomContentCoding)

    /// The coding of a name in lower case; `nil` if it is unknown. The user's own come first.
    init?(name: String, _ own: [any CustomContentCoding]) {
        if let coding = own.first(where: { $0.normalName == name }) {
            self = .custom(coding)
        } else if let coding = ContentCoding(name: name) {
            self = .builtIn(coding)
        } else {
            return nil
        }
    }

    /// A new decoder, which decodes the content of one message.
    func makeDecoder() throws(SwiftyError) -> any BufferDecoder {
        switch self {
        case .builtIn(let coding): return try coding.makeDecoder()
        case .custom(let coding):
            do {
                return CustomDecoder(try coding.makeDecoder(), of: coding.name)
            } catch {
                throw .custom(coding.name, error)
            }
        }
    }
}

/// A decoder of the user's own, whose results are checked.
private final class CustomDecoder: BufferDecoder {
    private let decoder: any ContentDecoder
    private let name: String

    init(_ decoder: any ContentDecoder, of name: String) {
        (self.decoder, self.name) = (decoder, name)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int {
        var (rest, written) = (Data(input), 0)
        // Until it has no more: it may return little at a time, and keep the rest.
        while written < output.count {
            let (count, limit) = (rest.count, output.count - written)
            let decoded = try decode(&rest, limit: limit)
            guard decoded.count <= limit, rest.count <= count else {
                throw .malformed("the decoder of \(name) returned more than it may")
            }
            UnsafeMutableRawBufferPointer(rebasing: output[written...]).copyBytes(from: decoded)
            written += decoded.count
            if decoded.isEmpty, rest.isEmpty || rest.count == count { break }
        }
        input.keepLast(rest.count)
        return written
    }

    private func decode(_ input: inout Data, limit: Int) throws(SwiftyError) -> Data {
        do {
            return try decoder.decode(&input, limit: limit)
        } catch {
            throw .custom(name, error)
        }
    }

    var isComplete: Bool { decoder.isComplete }
}

extension SwiftyError {
    /// The error of a decoder of the user's own.
    fileprivate static func custom(_ name: String, _ error: any Error) -> SwiftyError {
        if let error = SwiftyError(thrown: error, stage: .content, sent: .responded) { return error }
        let reason = "the content cannot be decoded from \(name): \(error)"
        return SwiftyError(.malformedResponse, stage: .content, sent: .responded, reason: reason, underlying: error)
    }
}
