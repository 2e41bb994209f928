// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A content coding of RFC 9110 §8.4.1 that Swifty decodes.
enum ContentCoding: String, CaseIterable {
    /// One or more members of RFC 1952.
    case gzip
    /// The zlib format of RFC 1950, or bare RFC 1951, which some servers send under this name.
    case deflate
    #if Brotli
    /// Brotli, RFC 7932.
    case brotli = "br"
    #endif
    #if Zstd
    /// One or more frames of Zstandard, RFC 8878.
    case zstd
    #endif

    /// The coding of a name in lower case; `nil` if it is unknown or not built in.
    init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The value of `Accept-Encoding`: all codings.
    static let accepted = allCases.map(\.rawValue).joined(separator: ", ")
    private static let acceptedNames = Set(allCases.map { Substring($0.rawValue) })

    /// Whether a value of `Accept-Encoding` names all codings, in any spelling, and nothing else: the response is
    /// decoded as one to the default field. A caller who asks for other codings decodes them.
    static func isDefault(_ value: String?) -> Bool {
        guard let value else { return false }
        return value == accepted || names(in: value) == acceptedNames
    }

    /// The names in a value of `Accept-Encoding`.
    static func names(in value: String) -> Set<Substring> {
        Set(value.lowercased().split(separator: ",").map { Substring($0.trimmingSpacesAndTabs()) })
    }

    /// The field `Accept-Encoding`, made once, since making a field checks its value.
    static let field = HTTPField(name: .acceptEncoding, value: accepted)

    /// A new decoder, which decodes the content of one message.
    func makeDecoder() throws(SwiftyError) -> any BufferDecoder {
        let decoder: (any BufferDecoder)? =
            switch self {
            case .gzip: ZlibDecoder(.gzip)
            case .deflate: ZlibDecoder(.deflate)
            #if Brotli
            case .brotli: BrotliDecoder()
            #endif
            #if Zstd
            case .zstd: ZstdDecoder()
            #endif
            }
        guard let decoder else { throw .outOfMemory }
        return decoder
    }
}

/// The errors of decoding content.
extension SwiftyError {
    static let cutOff = malformed("the compressed content is cut off")
    static let damaged = malformed("the compressed content is damaged")
    static let trailingBytes = malformed("the compressed content is followed by other bytes")
    static let outOfMemory = SwiftyError(
        .transportFailed,
        stage: .content,
        sent: .responded,
        reason: "the memory to decompress the content could not be allocated"
    )

    static func malformed(_ reason: String) -> SwiftyError {
        SwiftyError(.malformedResponse, stage: .content, sent: .responded, reason: reason)
    }

    static func tooLarge(_ reason: String) -> SwiftyError {
        SwiftyError(.responseTooLarge, stage: .content, sent: .responded, reason: reason)
    }
}

/// A decoder of one content coding, piece by piece.
protocol BufferDecoder: AnyObject {
    /// Decodes input until the output is full or the input is used up.
    ///
    /// - Parameters:
    ///   - input: The bytes to decode; the decoded ones are removed from its start.
    ///   - output: The buffer for the decoded bytes.
    /// - Returns: The number of bytes written. If they do not fill the output, all input was used.
    /// - Throws: ``SwiftyError`` for damaged content.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int

    /// Whether the input so far is complete.
    var isComplete: Bool { get }
}

extension UnsafeRawBufferPointer {
    /// Removes all but the last bytes.
    mutating func keepLast(_ count: Int) {
        self = UnsafeRawBufferPointer(rebasing: suffix(count))
    }
}
