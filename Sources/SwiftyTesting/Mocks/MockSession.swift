// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// What a mocked answer may depend on.
struct MockContext: Sendable {
    let request: MockedRequest
    let folder: MockFolder?
    let directory: String?
    let callerFile: String
    let variables: MockVariables

    /// The answers of a file of the service's folder, or of one of the folders of mock files.
    func responses(ofFile name: String) async throws(SwiftyError) -> [MockResponse] {
        if let folder, folder.entries.contains(where: { $0.name == name }) {
            return try await MockFile.responses(at: "\(folder.path)/\(name)", variables: variables)
        }
        let file = MockFile(name: name, callerFile: callerFile)
        return try await file.responses(directory: directory, variables: variables)
    }
}

/// The mocks of one scope, and what was sent to them.
final class MockSession: Sendable {
    private struct State {
        var requests: [MockedRequest] = []
        /// The number of answers of each pattern.
        var patternUses: [Int]
        /// The number of answers of each file, by its name.
        var fileUses: [String: Int] = [:]
    }

    /// An answer that was found, and how often it was before.
    private struct Found {
        let answer: MockAnswer
        let uses: Int
        var values: [String: String] = [:]
    }

    let service: (any WebService.Type)?
    private let patterns: [(pattern: MockPattern, answer: MockAnswer)]
    private let folder: MockFolder?
    private let directory: String?
    private let callerFile: String
    /// The mocks of the same service in the scope around this one.
    private let outer: MockSession?
    private let state: Mutex<State>

    init(
        service: (any WebService.Type)?,
        _ mocks: KeyValuePairs<MockPattern, MockAnswer>,
        folder: MockFolder?,
        directory: String?,
        callerFile: String,
        outer: MockSession? = nil
    ) {
        self.service = service
        patterns = mocks.map { ($0, $1) }
        self.folder = folder
        self.directory = directory
        self.callerFile = callerFile
        self.outer = outer
        state = Mutex(State(patternUses: Array(repeating: 0, count: mocks.count)))
    }

    /// The requests that were answered, in their order.
    var requests: [MockedRequest] { state.withLock { $0.requests } }

    /// The patterns and the files that have answered no request.
    func unused(includingFiles: Bool) -> [String] {
        let (patternUses, fileUses) = state.withLock { ($0.patternUses, $0.fileUses) }
        var unused = zip(patterns, patternUses).filter { $1 == 0 }.map { $0.0.pattern.description }
        if includingFiles, let folder {
            unused += folder.entries.filter { fileUses[$0.name] == nil }.map { "\(folder.path)/\($0.name)" }
        }
        return unused
    }

    /// The answer to a request.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if there is none, with those that come nearest.
    func answer(to request: MockedRequest, _ values: [String: String]) async throws(SwiftyError) -> MockResponse {
        guard let found = try find(request) else { throw unmatched(request) }
        let variables = MockVariables(
            values.merging(found.values) { own, _ in own },
            template: request.template ?? request.path
        )
        let context = MockContext(
            request: request,
            folder: folder,
            directory: directory,
            callerFile: callerFile,
            variables: variables
        )
        let answers = try await found.answer.responses(context)
        guard let answer = answers.isEmpty ? nil : answers[min(found.uses, answers.count - 1)] else {
            throw .mockUnavailable("the mock of \(request) has no answer")
        }
        return answer
    }

    private func find(_ request: MockedRequest) throws(SwiftyError) -> Found? {
        if let found = findPattern(request) { return found }
        guard isForService(of: request), let folder, let entry = try folder.entry(for: request) else { return nil }
        state.withLock { $0.requests.append(request) }
        return Found(answer: .file(entry.name), uses: countUse(of: entry, in: folder))
    }

    /// Counts a use, also for the scope around this one.
    ///
    /// - Returns: The number of uses before.
    @discardableResult
    private func countUse(of entry: MockFolder.Entry, in folder: MockFolder) -> Int {
        outer?.countUse(of: entry, in: folder)
        guard folder.path == self.folder?.path else { return 0 }
        return state.withLock { state in
            defer { state.fileUses[entry.name, default: 0] += 1 }
            return state.fileUses[entry.name, default: 0]
        }
    }

    /// The first pattern that matches, of this scope or of one around it.
    private func findPattern(_ request: MockedRequest) -> Found? {
        for (index, mock) in patterns.enumerated() where applies(mock.pattern, to: request) {
            guard case .match(let values) = mock.pattern.compare(with: request) else { continue }
            let uses = state.withLock { state in
                state.requests.append(request)
                state.patternUses[index] += 1
                return state.patternUses[index] - 1
            }
            return Found(answer: mock.answer, uses: uses, values: values)
        }
        guard let found = outer?.findPattern(request) else { return nil }
        state.withLock { $0.requests.append(request) }
        return found
    }

    private func isForService(of request: MockedRequest) -> Bool {
        guard let service else { return true }
        return request.service.map { $0 == service } ?? false
    }

    /// URLs are those of any service, other patterns belong to the mocked one.
    private func applies(_ pattern: MockPattern, to request: MockedRequest) -> Bool {
        if case .url = pattern.target { return true }
        return isForService(of: request)
    }
}

// MARK: - Requests without a mock

extension MockSession {
    private var name: String { service.map { "\($0)" } ?? "" }

    private func unmatched(_ request: MockedRequest) -> SwiftyError {
        guard isForService(of: request) else {
            let other = request.service.map { "\($0)" } ?? "a request without a service"
            return .mockUnavailable(
                "only \(name) is mocked here, and \(request) belongs to \(other): mock it by .url(…) or withMocks, "
                    + "or let it pass by MockOptions.allowsOtherServices"
            )
        }
        var reason = "no mock answers \(request)"
        if let name = request.name { reason += " (\(name))" }
        let nearest = nearest(to: request)
        if !nearest.isEmpty { reason += "; nearest: " + nearest.joined(separator: "; ") }
        return .mockUnavailable(reason + remedy(for: request))
    }

    /// The three mocks that differ the least, each with what differs.
    private func nearest(to request: MockedRequest) -> [String] {
        var candidates: [(text: String, distance: Int)] = []
        for mock in allPatterns {
            guard case .mismatch(let texts, let distance) = mock.compare(with: request) else { continue }
            candidates.append(("\(mock), but \(texts.joined(separator: ", "))", distance))
        }
        for entry in folder?.entries ?? [] {
            let (texts, distance) = entry.difference(from: request)
            candidates.append(("\(entry.name), but \(texts.joined(separator: ", "))", distance))
        }
        return candidates.sorted { $0.distance < $1.distance }.prefix(3).map(\.text)
    }

    private var allPatterns: [MockPattern] { patterns.map(\.pattern) + (outer?.allPatterns ?? []) }

    /// The file that would answer the request.
    private func remedy(for request: MockedRequest) -> String {
        guard service != nil, let key = request.name ?? request.template.map({ MockFolder.key(ofTemplate: $0) }) else {
            return ""
        }
        let path = folder?.path ?? "Mocks/\(name)"
        return "; a file that answers it: \(path)/\(key).json"
    }
}
