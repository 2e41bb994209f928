// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import WebServiceDSL

/// The responses of a test's server, which services of static functions reach.
final class Answers: Sendable {
    @TaskLocal static var current = Answers([])

    private let contents: Mutex<[(content: String, status: Int)]>
    private let sent = Mutex<[NetworkRequest]>([])

    init(_ contents: [(String, Int)]) {
        self.contents = Mutex(contents.map { (content: $0.0, status: $0.1) })
    }

    var requests: [NetworkRequest] { sent.withLock { $0 } }

    /// The contents of the requests, as text.
    var sentTexts: [String] { requests.map { String(decoding: $0.content.data ?? Data(), as: UTF8.self) } }

    static let interface = RecordingInterface { request in
        let answers = current
        answers.sent.withLock { $0.append(request) }
        let (content, status) = answers.contents.withLock { $0.isEmpty ? ("", 200) : $0.removeFirst() }
        let head = ResponseHead(statusCode: status, headers: [.contentType: "application/json"])
        let error = SwiftyError(.unacceptableStatus, stage: .validation, sent: .responded, reason: "\(status)")
        if status < 300 { return NetworkResponse(head: head, data: Data(content.utf8), request: request) }
        var failure = error
        (failure.head, failure.content) = (head, Data(content.utf8))
        return NetworkResponse(error: failure, request: request)
    }
}

/// Runs a test whose server has these responses, in turn.
func answered<Result>(
    _ contents: String...,
    status: Int = 200,
    _ body: (Answers) async throws -> Result
) async throws -> Result {
    let answers = Answers(contents.map { ($0, status) })
    return try await Answers.$current.withValue(answers) { try await body(answers) }
}
