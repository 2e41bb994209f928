// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The content of a draft, from which each attempt of each load opens its own.
enum DraftContent: Sendable {
    case data(Data)
    case file(ContentFile)
    case stream(ContentStream)
    case multipart(MultipartForm)

    static func file(path: String) -> DraftContent { .file(ContentFile(path: path)) }

    /// Whether opening the content may wait for the system, as for a file.
    var mayWait: Bool {
        switch self {
        case .data, .stream: false
        case .file: true
        case .multipart(let form): form.parts.contains { $0.content.mayWait }
        }
    }

    /// Whether the attempts of a load must be compared.
    var hasStream: Bool {
        switch self {
        case .data, .file: false
        case .stream: true
        case .multipart(let form): form.parts.contains { $0.content.hasStream }
        }
    }

    /// Whether the content can be read only once, and reading has begun: no other attempt can send it.
    var isUsedUp: Bool {
        switch self {
        case .data: false
        case .file(let file): file.isUsedUp
        case .stream(let stream): stream.isUsedUp
        case .multipart(let form): form.parts.contains { $0.content.isUsedUp }
        }
    }

    /// The same content for one load, whose attempts must all have the same content. A file checks that itself.
    func forLoad() -> DraftContent {
        switch self {
        case .data, .file: self
        case .stream(let stream): .stream(stream.forLoad())
        case .multipart(let form): .multipart(form.forLoad())
        }
    }

    /// Opens the content of one attempt.
    ///
    /// - Throws: ``SwiftyError/Code/contentUnreadable``; ``SwiftyError/Code/contentNotReplayable`` if the content can
    ///   be read only once, and was.
    nonisolated(nonsending) func open() async throws(SwiftyError) -> NetworkRequest.Content {
        switch self {
        case .data(let data): .data(data)
        case .file(let file): .source(try await file.open())
        case .stream(let stream): .source(try stream.open())
        case .multipart(let form): try await form.open()
        }
    }
}

extension SwiftyError {
    /// The error of content that cannot be read. A cause that is a `SwiftyError` is returned unchanged.
    static func unreadable(_ reason: String, _ cause: any Error) -> SwiftyError {
        if let cause = cause as? SwiftyError { return cause }
        // The text of the cause may hold secrets.
        return SwiftyError(.contentUnreadable, stage: .send, sent: .maybeSent, reason: reason, underlying: cause)
    }
}
