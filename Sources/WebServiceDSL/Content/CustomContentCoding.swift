// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// A content coding that you write (RFC 9110 §8.4.1), for responses, and for requests if it can encode.
///
///     let swifty = Swifty {
///         $0.contentDecoding.codings = [Snappy()]                          // accepted and decoded
///         $0.requestCompression = RequestCompression(coding: Snappy())     // sent
///     }
///
/// A coding with the name of one that is built in replaces it. The value may be used by any number of loads at a time;
/// each message gets a separate decoder or encoder, which one task at a time uses.
public protocol CustomContentCoding: Sendable {
    /// The name in `Content-Encoding`, a token in any case. Anything else, and `identity`, fail each load with
    /// ``SwiftyError/Code/invalidSettings``.
    var name: String { get }

    /// Makes the decoder of one message.
    ///
    /// - Throws: The underlying error of ``SwiftyError/Code/malformedResponse``.
    func makeDecoder() throws -> any ContentDecoder

    /// Makes the encoder of one message; `nil` if the coding only decodes, so that the content is sent as it is.
    ///
    /// - Throws: The underlying error of ``SwiftyError/Code/contentUnreadable``.
    func makeEncoder() throws -> (any ContentEncoder)?
}

extension CustomContentCoding {
    /// `nil`: the coding only decodes.
    public func makeEncoder() throws -> (any ContentEncoder)? { nil }
}

/// Decodes the content of one message, piece by piece.
///
/// The limits of ``Swifty/ContentDecoding`` are checked after each call, so that a small response cannot fill the
/// memory.
public protocol ContentDecoder: AnyObject {
    /// Decodes some of the input.
    ///
    /// - Parameters:
    ///   - input: The bytes to decode, at most 64 KiB. The decoder removes those that it has taken from the start; it
    ///     gets the rest again, and more only when nothing is left.
    ///   - limit: The maximum number of bytes to return. A decoder that has more returns them in the next calls, also
    ///     for input that is empty.
    /// - Returns: The decoded bytes. It is called until it returns none. If it has then not taken any of its input
    ///   either, the content is damaged.
    /// - Throws: The underlying error of ``SwiftyError/Code/malformedResponse``; a ``SwiftyError`` is thrown itself.
    func decode(_ input: inout Data, limit: Int) throws -> Data

    /// Whether the input so far is complete. Content that ends earlier is cut off:
    /// ``SwiftyError/Code/malformedResponse``.
    var isComplete: Bool { get }
}

/// Encodes the content of one message, piece by piece.
public protocol ContentEncoder: AnyObject {
    /// Takes more bytes, and returns what can be sent, which may be empty.
    ///
    /// - Throws: The error of the load, as that of a source of content.
    func encode(_ bytes: Data) throws -> Data

    /// The end of the encoded content.
    ///
    /// - Throws: The error of the load, as that of a source of content.
    func finish() throws -> Data
}

extension CustomContentCoding {
    /// The name in lower case.
    package var normalName: String { name.lowercased() }

    /// What tells codings apart that are values of protocol types: their types and names.
    package var identity: ContentCodingIdentity { ContentCodingIdentity(self) }
}

/// The type and the name of a coding.
package struct ContentCodingIdentity: Hashable {
    private let type: ObjectIdentifier
    private let name: String

    init(_ coding: any CustomContentCoding) {
        (type, name) = (ObjectIdentifier(Swift.type(of: coding)), coding.normalName)
    }
}

extension SwiftyError {
    /// The error of a coding whose name cannot be used; `nil` if it can be.
    package static func invalidName(of coding: any CustomContentCoding) -> SwiftyError? {
        if HTTPField.Name(coding.name) != nil, coding.normalName != "identity" { return nil }
        let reason = "\"\(Redaction.line(coding.name))\" cannot be the name of a content coding"
        return SwiftyError(.invalidSettings, stage: .building, reason: reason)
    }
}
