// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import SwiftyTransport

extension HTTPClientRequest {
    init(_ request: NetworkRequest) {
        self.init(url: request.target.string)
        method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if let source = request.contentSource {
            let parts = SourceParts(source: source)
            body = .stream(parts, length: source.length.map { .known(Int64($0)) } ?? .unknown)
        } else if let bytes = request.body?.bytes {
            body = .bytes(ByteBuffer(bytes: bytes))
        }
    }
}

extension ResponseHead {
    init(_ response: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            statusCode: Int(response.status.code),
            reasonPhrase: response.status.reasonPhrase,
            httpVersion: HTTPVersion(response.version),
            headers: fields
        )
    }
}

extension ResponseHead.HTTPVersion {
    fileprivate init(_ version: NIOHTTP1.HTTPVersion) {
        switch (version.major, version.minor) {
        case (1, 0): self = .http1_0
        case (2, _): self = .http2
        case (3, _): self = .http3
        default: self = .http1_1
        }
    }
}

/// The parts of a source, with its errors made typed, and its length checked.
private struct SourceParts: AsyncSequence, Sendable {
    let source: any ContentSource

    func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    struct Iterator: AsyncIteratorProtocol {
        let source: any ContentSource
        private var count = 0

        init(source: any ContentSource) {
            self.source = source
        }

        mutating func next() async throws -> ByteBuffer? {
            while let part = try await nextPart() {
                count += part.count
                if let length = source.length, count > length { throw Self.wrongLength }
                if !part.isEmpty { return ByteBuffer(bytes: part) }
            }
            if let length = source.length, count < length { throw Self.wrongLength }
            return nil
        }

        private func nextPart() async throws -> Data? {
            do {
                return try await source.next()
            } catch let error as SwiftyError {
                throw error
            } catch {
                let reason = "the content cannot be read"
                throw SwiftyError(.bodyUnreadable, stage: .send, sent: .maybeSent, reason: reason, underlying: error)
            }
        }

        private static let wrongLength = SwiftyError(
            .bodyUnreadable,
            stage: .send,
            sent: .maybeSent,
            reason: "the content does not have its announced length"
        )
    }
}
