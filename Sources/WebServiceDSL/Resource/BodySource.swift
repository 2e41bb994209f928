// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport
import Synchronization

/// The source of a body's bytes. Every source can be read again for another load or attempt.
enum BodySource: Sendable {
    case data(Data)
    case file(path: String)
    case stream(StreamedBody)
    case multipart(MultipartForm)

    /// Whether the bytes are in memory, so that nothing needs to be read.
    var isInMemory: Bool {
        if case .data = self { true } else { false }
    }

    /// Reads the whole body into memory.
    nonisolated(nonsending) func read() async throws(SwiftyError) -> NetworkRequest.Body {
        switch self {
        case .data(let data): NetworkRequest.Body(data)
        case .file(let path): NetworkRequest.Body(try await Self.readBody(ofFile: path))
        case .stream(let stream): NetworkRequest.Body(try await stream.readAll())
        case .multipart(let form): NetworkRequest.Body(try await form.encode())
        }
    }

    /// Reads a file on a Dispatch queue, because the cooperative pool must not block.
    static func readFile(_ path: String) async throws(UnreadableFile) -> Data {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(UnreadableFile) in try FileContent.read(path) }
                )
            }
        }
        return try result.get()
    }

    private static func readBody(ofFile path: String) async throws(SwiftyError) -> Data {
        do throws(UnreadableFile) {
            return try await readFile(path)
        } catch {
            throw SwiftyError(
                .bodyUnreadable,
                stage: .building,
                reason: "the file \(path) cannot be read: \(error.reason)",
                underlying: error.posixError
            )
        }
    }
}

extension UnreadableFile {
    /// The system's error as a Foundation error; `nil` if the system reported none.
    var posixError: POSIXError? {
        errorNumber.flatMap(POSIXErrorCode.init).map { POSIXError($0) }
    }
}

/// A body of chunks, which are made anew for each attempt.
struct StreamedBody: Sendable {
    let length: Int64?
    let writeChunks: @Sendable (@Sendable (Data) throws -> Void) async throws -> Void

    func readAll() async throws(SwiftyError) -> Data {
        let collector = ChunkCollector()
        do {
            try await writeChunks { chunk in collector.append(chunk) }
        } catch {
            throw SwiftyError(
                .bodyUnreadable,
                stage: .building,
                reason: "the body's stream failed: \(error)",
                underlying: error
            )
        }
        let data = collector.data
        if let length, length != Int64(data.count) {
            throw SwiftyError(
                .bodyUnreadable,
                stage: .building,
                reason: "the body's stream has \(data.count) bytes, but \(length) were announced"
            )
        }
        return data
    }
}

/// Collects the chunks of a streamed body.
private final class ChunkCollector: Sendable {
    private let bytes = Mutex(Data())

    var data: Data { bytes.withLock { $0 } }

    func append(_ chunk: Data) {
        bytes.withLock { $0.append(chunk) }
    }
}

/// The media types of files, by the extension of their names.
enum MediaType {
    static func forFile(named name: String) -> String {
        let fileExtension = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return byExtension[fileExtension] ?? "application/octet-stream"
    }

    private static let byExtension = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "csv": "text/csv", "xml": "application/xml",
        "html": "text/html; charset=utf-8", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "svg": "image/svg+xml", "mp4": "video/mp4", "mp3": "audio/mpeg", "yaml": "application/yaml",
        "yml": "application/yaml",
    ]
}
