// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension RequestCompression {
    /// Compresses the content of a request, if the policy says so.
    ///
    /// Content in memory is compressed immediately and keeps a length; if it becomes no smaller, it stays as it is. A
    /// source is compressed while it is sent, with an unknown length.
    ///
    /// - Throws: ``SwiftyError`` of a coding of the user's own.
    func apply(to request: inout NetworkRequest) throws(SwiftyError) {
        guard applies(to: request) else { return }
        let coding: any SourceCoding = if let coding { try CustomSourceCoding(coding) } else { GzipSourceCoding(level) }
        switch request.content {
        case .none: return
        case .data(let data):
            guard let compressed = try coding.encode(data), compressed.count < data.count else { return }
            request.content = .data(compressed)
        case .source(let source):
            guard coding.canEncode else { return }
            request.content = .source(EncodedSource(source, coding))
        }
        request.headers[.contentEncoding] = coding.name
    }
}

/// What an encoded source needs of a coding: an encoder for each time that the content is sent.
protocol SourceCoding: Sendable {
    var name: String { get }
    /// Whether it can encode at all.
    var canEncode: Bool { get }
    func makeEncoder() throws -> any ContentEncoder
}

extension SourceCoding {
    /// All of the bytes, encoded; `nil` if they are to be sent as they are.
    fileprivate func encode(_ data: Data) throws(SwiftyError) -> Data? {
        if !canEncode { return nil }
        do {
            let encoder = try makeEncoder()
            return try encoder.encode(data) + encoder.finish()
        } catch {
            if var error = SwiftyError(thrown: error, stage: .building) {
                // An encoder cannot know that nothing was sent.
                error.sent = .notSent
                throw error
            }
            let reason = "the content cannot be encoded with \(name): \(error)"
            throw SwiftyError(.contentUnreadable, stage: .building, reason: reason, underlying: error)
        }
    }
}

struct GzipSourceCoding: SourceCoding {
    private let level: Int

    init(_ level: Int) {
        self.level = level
    }

    var name: String { "gzip" }
    var canEncode: Bool { true }

    func makeEncoder() throws -> any ContentEncoder {
        if let encoder = GzipEncoder(level: level) { return encoder }
        throw SwiftyError(.transportFailed, stage: .send, sent: .maybeSent, reason: "there is no memory")
    }
}

struct CustomSourceCoding: SourceCoding {
    private let coding: any CustomContentCoding
    let canEncode: Bool

    /// - Throws: ``SwiftyError``, if the name cannot be used, or the first encoder cannot be made.
    init(_ coding: any CustomContentCoding) throws(SwiftyError) {
        if let error = SwiftyError.invalidName(of: coding) { throw error }
        self.coding = coding
        do {
            canEncode = try coding.makeEncoder() != nil
        } catch {
            if let error = SwiftyError(thrown: error, stage: .building) { throw error }
            let reason = "there is no encoder of \(coding.name): \(error)"
            throw SwiftyError(.contentUnreadable, stage: .building, reason: reason, underlying: error)
        }
    }

    var name: String { coding.normalName }

    func makeEncoder() throws -> any ContentEncoder {
        if let encoder = try coding.makeEncoder() { return encoder }
        throw SwiftyError(.contentUnreadable, stage: .send, sent: .maybeSent, reason: "\(name) encodes no more")
    }
}
