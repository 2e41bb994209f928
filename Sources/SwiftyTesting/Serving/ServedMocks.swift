// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty
import SwiftySupport
import Synchronization

/// Answers for a server over real sockets.
package protocol ServedAnswers: Sendable {
    /// The answer to a request.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for an answer that cannot be read.
    func answer(to request: RecordedRequest) async throws(SwiftyError) -> ServedAnswer
}

/// The answer to a request, or the reason why nothing answers it.
package enum ServedAnswer: Sendable {
    case answer(MockResponse)
    case missing(String)
}

extension LoopbackServer {
    /// A server whose only answers are the given ones. A request without one gets a 404 with the reason as text, one
    /// whose answer cannot be read a 500.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - port: The port, 0 for a free one.
    ///   - onUnanswered: Called with the reason, for each request without an answer.
    /// - Throws: The failed system call if the port cannot be opened.
    package convenience init(
        _ answers: any ServedAnswers,
        port: UInt16 = 0,
        onUnanswered: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(port: port) { server in
            server.route("*", "*") { request in
                let (reason, status): (String, Int)
                do throws(SwiftyError) {
                    switch try await answers.answer(to: request) {
                    case .answer(let answer): return LoopbackResponse(answer)
                    case .missing(let text): (reason, status) = (text, 404)
                    }
                } catch {
                    (reason, status) = (error.reason, 500)
                }
                onUnanswered(reason)
                return .text("\(reason)\n", status: status)
            }
        }
    }
}

/// The mock files of a folder, found by the paths of requests: `users/{user}/repos.GET.http`.
///
/// The folder is read for each request, so that files can be changed while they are served.
package final class ServedMocks: ServedAnswers {
    private let path: String
    /// The number of answers of each file so far.
    private let uses = Mutex<[String: Int]>([:])

    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if there is no such folder, it has no mock files, or two of them
    ///   answer the same request.
    package init(folder path: String) throws(SwiftyError) {
        self.path = path
        let folder = try folder()
        if folder.entries.isEmpty { throw .mockUnavailable("there are no mock files in \(path)") }
        try folder.checkUnambiguous()
    }

    private func folder() throws(SwiftyError) -> MockFolder {
        try MockFolder.read(path)
    }

    package func answer(to request: RecordedRequest) async throws(SwiftyError) -> ServedAnswer {
        let folder = try folder()
        guard let found = try folder.entry(method: request.method, path: request.path) else {
            return .missing(reason(for: request, in: folder))
        }
        var values = found.values
        for item in request.queryItems where values["query.\(item.name)"] == nil {
            values["query.\(item.name)"] = item.value
        }
        let variables = MockVariables(values, template: found.entry.key)
        let answers = try await MockFile.responses(at: "\(path)/\(found.entry.name)", variables: variables)
        // The answers to HEAD are not those of a sequence for GET.
        let isPeek = request.method == "HEAD" && found.entry.method == "GET"
        return .answer(answers[min(countUse(of: found.entry, isPeek: isPeek), answers.count - 1)])
    }

    /// - Returns: The number of uses before.
    private func countUse(of entry: MockFolder.Entry, isPeek: Bool) -> Int {
        uses.withLock { uses in
            let count = uses[entry.name, default: 0]
            if !isPeek { uses[entry.name] = count + 1 }
            return count
        }
    }

    private func reason(for request: RecordedRequest, in folder: MockFolder) -> String {
        let nearest = folder.nearest(toMethod: request.method, path: request.path)
        let key = MockFolder.key(ofTemplate: Redaction.redact(reference: request.path))
        return "no mock answers \(request.method) \(Redaction.redact(reference: request.target)); "
            + "nearest: \(nearest.joined(separator: "; ")); "
            + "a file that answers it: \(path)/\(key).\(request.method).http"
    }
}
