// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

public struct User: Decodable, Sendable {
    public let login: String
    public let name: String?
    public let publicRepos: Int?
}

public struct Repository: Decodable, Sendable {
    public let name: String
    public let fullName: String
    public let stargazersCount: Int
    public let owner: User
}

public struct SearchResult<Item: Decodable & Sendable>: Decodable, Sendable {
    public let totalCount: Int
    public let items: [Item]
}

public struct Release: Decodable, Sendable {
    public let tagName: String
    public let publishedAt: Date
}

public struct Issue: Decodable, Sendable {
    public let number: Int
    public let title: String
    public let state: String
}

public struct NewIssue: Encodable, Sendable {
    public var title: String
    public var body: String?
    public var labels: [String]

    public init(title: String, body: String? = nil, labels: [String] = []) {
        (self.title, self.body, self.labels) = (title, body, labels)
    }
}

public struct Gist: Decodable, Sendable {
    public let id: String
    public let htmlUrl: String
}

public struct NewGist: Encodable, Sendable {
    public struct File: Encodable, Sendable {
        public var content: String
    }

    public var description: String
    public var `public`: Bool
    public var files: [String: File]

    /// - Parameter files: The texts of the files, by their names.
    public init(_ description: String, isPublic: Bool = false, files: [String: String]) {
        self.description = description
        self.public = isPublic
        self.files = files.mapValues { File(content: $0) }
    }
}
