// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Walks from page to page: response in, next request out.
struct PageWalk {
    /// The result of processing a page.
    struct Step {
        /// Whether the page has to be delivered.
        let isDelivered: Bool
        /// The request of the next page; `nil` after the last one.
        let next: Result<RequestDraft?, SwiftyError>
    }

    private let pagination: Pagination
    /// The request of the current page.
    private(set) var draft: RequestDraft
    private let home: TargetURI
    private var visited: Set<String> = []
    private var count = 0
    private var number = 0

    /// - Throws: The error of a request that cannot be sent, or that has no pagination.
    init(_ draft: RequestDraft) throws(SwiftyError) {
        if let error = draft.creationError { throw error }
        guard let target = draft.fullTarget else {
            throw SwiftyError(.invalidURL, stage: .building, reason: "the request has no URL")
        }
        guard let pagination = draft.pagination else {
            throw SwiftyError(
                .invalidSettings,
                stage: .building,
                reason: "the request has no pagination; set it with pagination(_:)"
            )
        }
        self.pagination = pagination
        self.draft = draft
        home = target
        if case .number(let numbering) = pagination.kind { begin(numbering) }
        visited.insert(self.draft.fullTarget?.string ?? "")
    }

    private mutating func begin(_ numbering: Pagination.Numbering) {
        number = draft.queryValue(numbering.query).flatMap { Int($0) } ?? numbering.first
        draft.setQuery(numbering.query, String(number))
        if let size = numbering.size, let name = numbering.sizeQuery, draft.queryValue(name) == nil {
            draft.setQuery(name, String(size))
        }
    }

    /// Finds the request of the next page.
    mutating func step(after response: NetworkResponse) -> Step {
        count += 1
        do throws(SwiftyError) {
            if case .number(let numbering) = pagination.kind { return try step(numbering, response) }
            let target = try nextTarget(response)
            return Step(isDelivered: true, next: .success(try target.map { next throws(SwiftyError) in try go(next) }))
        } catch {
            return Step(isDelivered: true, next: .failure(response.completing(error)))
        }
    }

    private mutating func step(
        _ numbering: Pagination.Numbering,
        _ response: NetworkResponse
    ) throws(SwiftyError) -> Step {
        let elements = try Self.search(numbering.count, response) ?? 0
        guard elements > 0 else { return Step(isDelivered: count == 1, next: .success(nil)) }
        let (next, overflows) = number.addingReportingOverflow(numbering.step)
        guard elements >= numbering.size ?? 0, !overflows else { return Step(isDelivered: true, next: .success(nil)) }
        number = next
        return Step(
            isDelivered: true,
            next: Result { () throws(SwiftyError) in
                try go(targetWith(numbering.query, String(next)))
            }
        )
    }

    private func nextTarget(_ response: NetworkResponse) throws(SwiftyError) -> TargetURI? {
        switch pagination.kind {
        case .link(let relation): try Self.link(relation, response: response, base: base(response))
        case .url(let find):
            try Self.nonEmpty(Self.search(find, response)).map { url throws(SwiftyError) in
                try Self.resolve(url, base(response))
            }
        case .cursor(let find, let query):
            try Self.nonEmpty(Self.search(find, response)).map { targetWith(query, $0) }
        case .number: nil
        }
    }

    /// The target that the page came from, after redirects.
    private func base(_ response: NetworkResponse) -> TargetURI {
        response.request?.target ?? draft.fullTarget ?? home
    }

    private func targetWith(_ query: String, _ value: String) -> TargetURI {
        var draft = draft
        draft.setQuery(query, value)
        return draft.fullTarget ?? home
    }
}

// MARK: The checks of the next target

extension PageWalk {
    private mutating func go(_ target: TargetURI) throws(SwiftyError) -> RequestDraft {
        guard count < pagination.maximumPages else {
            throw Self.error(.tooManyPages, "there are more than \(pagination.maximumPages) pages")
        }
        if target.origin != home.origin { try leaveHome(for: target) }
        guard visited.insert(target.string).inserted else {
            throw Self.error(.pageLoop, "the next page is one that was loaded before")
        }
        draft.target = target
        draft.query = ""
        return draft
    }

    private mutating func leaveHome(for target: TargetURI) throws(SwiftyError) {
        guard pagination.allowsOtherOrigins else {
            throw Self.error(.nextPageRefused, "the next page is at another origin")
        }
        let isSecure = home.scheme == .https || draft.target?.scheme == .https
        guard !isSecure || target.scheme == .https else {
            throw Self.error(.nextPageRefused, "the next page leads from https to http")
        }
        guard draft.content == nil else {
            throw Self.error(.nextPageRefused, "the content of the request would be sent to another origin")
        }
        // They stay removed: from here on, the other origin chooses all targets.
        draft.removeSecrets()
    }

    private static func link(
        _ relation: String,
        response: NetworkResponse,
        base: TargetURI
    ) throws(SwiftyError) -> TargetURI? {
        guard let head = response.head, head.mayHaveField("link") else { return nil }
        guard let links = head.wellFormedLinks else {
            throw error(.nextPageRefused, "the Link field is malformed or too large")
        }
        let link = links.first { $0.relations.contains(relation) && $0.isOf(base) }
        return try link.map { link throws(SwiftyError) in try resolve(link.target, base) }
    }

    private static func resolve(_ reference: String, _ base: TargetURI) throws(SwiftyError) -> TargetURI {
        do throws(TargetURI.ValidationError) {
            return try TargetURI.resolve(reference.utf8, against: base).target
        } catch {
            throw self.error(.nextPageRefused, "the link to the next page cannot be used: \(error.reason)")
        }
    }

    private static func search<Value>(
        _ find: Pagination.Search<Value>,
        _ response: NetworkResponse
    ) throws(SwiftyError) -> Value? {
        do {
            return try find(response.data ?? Data())
        } catch {
            let fact = "the next page cannot be found in the content"
            throw SwiftyError.undecodable(fact, error, in: response.data ?? Data(), format: .json)
        }
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func error(_ code: SwiftyError.Code, _ reason: String) -> SwiftyError {
        SwiftyError(code, stage: .validation, sent: .responded, reason: reason)
    }
}
