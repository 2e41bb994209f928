// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty
import SwiftySupport
import Synchronization

/// The mock files of a folder, found by the paths of requests: `users/{user}/repos.GET.http`.
///
/// The folder is read for each request, so that files can be changed while they are served.
package final class ServedMocks: ServedAnswers {
    private let path: String
    /// The number of uses of each file so far.
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

    package func answer(to request: ServedRequest) async throws(SwiftyError) -> ServedAnswer {
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
        // An answer to HEAD does not advance a sequence for GET.
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

    private func reason(for request: ServedRequest, in folder: MockFolder) -> String {
        let nearest = folder.nearest(toMethod: request.method, path: request.path)
        let key = MockFolder.key(ofTemplate: Redaction.redact(reference: request.path))
        return "no mock answers \(request.method) \(Redaction.redact(reference: request.target)); "
            + "nearest: \(nearest.joined(separator: "; ")); "
            + "a file that answers it: \(path)/\(key).\(request.method).http"
    }
}
