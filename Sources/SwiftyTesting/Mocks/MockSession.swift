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

    /// The answers in a file of the service's folder, or of one of the folders of mock files.
    func responses(ofFile name: String) async throws(SwiftyError) -> [MockResponse] {
        if let folder, folder.entries.contains(where: { $0.name == name }) {
            return try await MockFile.responses(at: "\(folder.path)/\(name)", variables: variables)
        }
        let file = MockFile(name: name, callerFile: callerFile)
        return try await file.responses(directory: directory, variables: variables)
    }
}

/// Records which mocks were used, in all blocks with the same mocks: in the tests of a suite.
package final class MockTally: Sendable {
    private let used = Mutex((patterns: Set<Int>(), files: Set<String>()))

    package init() {}

    func add(_ pattern: Int) {
        used.withLock { used in _ = used.patterns.insert(pattern) }
    }

    func add(file: String) {
        used.withLock { used in _ = used.files.insert(file) }
    }

    func has(_ pattern: Int) -> Bool { used.withLock { $0.patterns.contains(pattern) } }

    func has(file: String) -> Bool { used.withLock { $0.files.contains(file) } }
}

/// The mocks of one scope, and what was sent to them.
final class MockSession: Sendable {
    private struct State {
        var requests: [MockedRequest] = []
        var patternUses: [Int]
        /// The number of uses of each file, by its name.
        var fileUses: [String: Int] = [:]
    }

    /// A matched answer, its earlier use count, and its session.
    private struct Found {
        let answer: MockAnswer
        let uses: Int
        let session: MockSession
        var values: [String: String] = [:]
    }

    let service: (any NamedService.Type)?
    private let patterns: [(pattern: MockPattern, answer: MockAnswer)]
    private let folder: MockFolder?
    private let directory: String?
    private let callerFile: String
    /// The mocks in the scope around this one.
    private let outer: MockSession?
    /// Records which mocks were used, including in other blocks with the same mocks.
    private let tally: MockTally
    private let state: Mutex<State>

    init(
        service: (any NamedService.Type)?,
        _ mocks: KeyValuePairs<MockPattern, MockAnswer>,
        folder: MockFolder?,
        directory: String?,
        callerFile: String,
        outer: MockSession? = nil,
        tally: MockTally = MockTally()
    ) {
        self.service = service
        patterns = mocks.map { ($0, $1) }
        self.folder = folder
        self.directory = directory
        self.callerFile = callerFile
        self.outer = outer
        self.tally = tally
        state = Mutex(State(patternUses: Array(repeating: 0, count: mocks.count)))
    }

    /// The requests that were answered, in their order.
    var requests: [MockedRequest] { state.withLock { $0.requests } }

    /// The folder of mock files: its own, or else that of the same service's mocks around these.
    var nearestFolder: MockFolder? {
        if let folder { return folder }
        guard let outer, let service, let other = outer.service, other == service else { return nil }
        return outer.nearestFolder
    }

    /// The patterns and the files that have answered no request.
    func unused(includingFiles: Bool) -> [String] {
        var unused = patterns.indices.filter { !tally.has($0) }.map { patterns[$0].pattern.description }
        if includingFiles, let folder {
            unused += folder.entries.filter { !tally.has(file: $0.name) }.map { "\(folder.path)/\($0.name)" }
        }
        return unused
    }

    /// The answer to a request.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if no mock answers it, with the nearest ones.
    func answer(to request: MockedRequest, _ values: [String: String]) async throws(SwiftyError) -> MockResponse {
        guard let found = try find(request) else { throw unmatched(request) }
        let variables = MockVariables(
            values.merging(found.values) { own, _ in own },
            template: request.template ?? request.path
        )
        let context = MockContext(
            request: request,
            folder: found.session.nearestFolder,
            directory: found.session.directory,
            callerFile: found.session.callerFile,
            variables: variables
        )
        let answers = try await found.answer.responses(context)
        guard let answer = answers.isEmpty ? nil : answers[min(found.uses, answers.count - 1)] else {
            throw .mockUnavailable("the mock of \(request) has no answer")
        }
        return answer
    }

    private func find(_ request: MockedRequest) throws(SwiftyError) -> Found? {
        var found = findPattern(request)
        if found == nil { found = try findFile(request) }
        if found != nil { state.withLock { $0.requests.append(request) } }
        return found
    }

    /// The file of a request, in the folder of these mocks or of those around them.
    private func findFile(_ request: MockedRequest) throws(SwiftyError) -> Found? {
        if isForService(of: request), let folder, let found = try folder.found(for: request) {
            // An answer to HEAD does not advance a sequence for GET.
            let isPeek = request.method == "HEAD" && found.entry.method == "GET"
            let uses = countUse(of: found.entry, in: folder, isPeek: isPeek)
            return Found(answer: .file(found.entry.name), uses: uses, session: self, values: found.values)
        }
        return try outer?.findFile(request)
    }

    /// Counts a use, including for the scope around this one.
    ///
    /// - Returns: The number of uses before.
    @discardableResult
    private func countUse(of entry: MockFolder.Entry, in folder: MockFolder, isPeek: Bool) -> Int {
        outer?.countUse(of: entry, in: folder, isPeek: isPeek)
        guard folder.path == self.folder?.path else { return 0 }
        tally.add(file: entry.name)
        return state.withLock { state in
            let uses = state.fileUses[entry.name, default: 0]
            if !isPeek { state.fileUses[entry.name] = uses + 1 }
            return uses
        }
    }

    /// The first pattern that matches, of this scope or of one around it.
    private func findPattern(_ request: MockedRequest) -> Found? {
        for (index, mock) in patterns.enumerated() where applies(mock.pattern, to: request) {
            guard case .match(let values) = mock.pattern.compare(with: request) else { continue }
            tally.add(index)
            let uses = state.withLock { state in
                state.patternUses[index] += 1
                return state.patternUses[index] - 1
            }
            return Found(answer: mock.answer, uses: uses, session: self, values: values)
        }
        return outer?.findPattern(request)
    }

    private func isForService(of request: MockedRequest) -> Bool {
        guard let service else { return true }
        return request.service.map { $0 == service } ?? false
    }

    /// URL patterns apply to any service, other patterns only to the mocked one.
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
                    + "or let it pass by MockPolicy.allowsOtherServices"
            )
        }
        var reason = "no mock answers \(request)"
        if let name = request.name { reason += " (\(name))" }
        let nearest = nearest(to: request)
        if !nearest.isEmpty { reason += "; nearest: " + nearest.joined(separator: "; ") }
        return .mockUnavailable(reason + remedy(for: request))
    }

    /// The three nearest mocks, each with the differences.
    private func nearest(to request: MockedRequest) -> [String] {
        var candidates: [(text: String, distance: Int)] = []
        for mock in patterns(for: request) {
            guard case .mismatch(let texts, let distance) = mock.compare(with: request) else { continue }
            candidates.append(("\(mock), but \(texts.joined(separator: ", "))", distance))
        }
        for entry in nearestFolder?.entries ?? [] {
            let (texts, distance) = entry.difference(from: request)
            candidates.append(("\(entry.name), but \(texts.joined(separator: ", "))", distance))
        }
        return candidates.sorted { $0.distance < $1.distance }.prefix(3).map(\.text)
    }

    private func patterns(for request: MockedRequest) -> [MockPattern] {
        patterns.map(\.pattern).filter { applies($0, to: request) } + (outer?.patterns(for: request) ?? [])
    }

    /// The file that would answer the request.
    private func remedy(for request: MockedRequest) -> String {
        let template = request.template.map(request.request.redactor.reference)
        guard service != nil, let key = request.name ?? template.map({ MockFolder.key(ofTemplate: $0) }) else {
            return ""
        }
        if let path = nearestFolder?.path { return "; a file that answers it: \(path)/\(key).json" }
        let places = MockFile(name: name, callerFile: callerFile).candidates(directory: directory)
        return "; a file that answers it: Mocks/\(name)/\(key).json; there is no folder "
            + places.joined(separator: ", ")
    }
}
