// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Swifty

/// A part of GitHub's REST API: https://docs.github.com/rest.
public final class GitHub: WebService {
    /// GitHub's own server, or that of `GITHUB_API_URL`, as GitHub Actions and Enterprise servers have it.
    public static let serverURL =
        ProcessInfo.processInfo.environment["GITHUB_API_URL"] ?? "https://api.github.com"

    /// The pipeline of all requests.
    public static let networkInterface: any NetworkInterface = Swifty {
        $0.use(TokenInterceptor())
        $0.retry = RetryPolicy(maximumAttempts: 3)
    }

    /// GitHub's names: `full_name` for `fullName`.
    public static let keyStyle = QueryEncoding.KeyStyle.snakeCase

    /// JSON with GitHub's names and dates.
    public static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// The fields that GitHub asks for, and its pages.
    public static func configure(_ resource: NetworkResource) {
        resource.accept("application/vnd.github+json").header("X-GitHub-Api-Version", "2022-11-28")
            .pagination(.linkHeader)
    }
}

// MARK: - Users and repositories

// The variables of paths have names, because mock files use them: `{{user}}`.
extension GitHub {
    /// A user or an organization.
    public static func user(_ login: String) -> TypedResource<User> {
        server.get("users/\(login, as: "user")").decode(User.self)
    }

    /// The repositories of a user, the ones with the newest commits first.
    public static func repositories(of user: String) -> TypedResource<[Repository]> {
        server.get("users/\(user, as: "user")/repos").query(["sort": "pushed"]).decode([Repository].self)
    }

    /// A repository.
    public static func repository(_ owner: String, _ name: String) -> TypedResource<Repository> {
        server.get("repos/{owner}/{repo}", ["owner": owner, "repo": name]).decode(Repository.self)
    }

    /// The text of a repository's README, as it is written.
    public static func readme(_ owner: String, _ name: String) -> NetworkResource {
        server.get("repos/{owner}/{repo}/readme", ["owner": owner, "repo": name])
            .accept("application/vnd.github.raw+json")
    }

    /// The latest release that is neither a draft nor a prerelease.
    public static func latestRelease(_ owner: String, _ name: String) -> TypedResource<Release> {
        server.get("repos/{owner}/{repo}/releases/latest", ["owner": owner, "repo": name]).decode(Release.self)
    }

    /// The repositories that a search finds.
    public static func search(for text: String) -> TypedResource<SearchResult<Repository>> {
        server.get("search/repositories").query(["q": text]).decode(SearchResult<Repository>.self)
    }
}

// MARK: - Issues

extension GitHub {
    /// The open issues of a repository, in pages of 100: `issues(…).elements()` has all of them.
    public static func issues(_ owner: String, _ name: String) -> TypedResource<[Issue]> {
        server.get("repos/{owner}/{repo}/issues", ["owner": owner, "repo": name]).query(["per_page": 100])
            .decode([Issue].self)
    }

    /// Opens an issue.
    public static func createIssue(_ owner: String, _ name: String, _ issue: NewIssue) -> TypedResource<Issue> {
        server.post("repos/{owner}/{repo}/issues", ["owner": owner, "repo": name]).json(issue).decode(Issue.self)
    }
}

// MARK: - Gists

extension GitHub {
    /// Makes a gist.
    public static func createGist(_ gist: NewGist) -> TypedResource<Gist> {
        server.post("gists").json(gist).decode(Gist.self)
    }

    /// Deletes a gist.
    public static func deleteGist(_ id: String) -> NetworkResource {
        server.delete("gists/{id}", ["id": id])
    }
}
