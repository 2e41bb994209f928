// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GitHubAPI
import Swifty
import SwiftyTestTraits
import Testing

/// All files of `Mocks/GitHub` must answer a request by the end of the suite.
private let everything: MockPolicy = {
    var policy = MockPolicy()
    policy.requires = .everything
    return policy
}()

@Suite("GitHub", .mocked(GitHub.self, policy: everything), .timeLimit(.minutes(15)))
struct GitHubTests {
    @Test("has users")
    func user() async throws {
        let user = try await GitHub.user("apple").load()
        #expect(user.login == "apple")
        #expect(user.publicRepos == 60)
    }

    @Test("lists the repositories of a user, the active ones first")
    func repositories() async throws {
        let repositories = try await GitHub.repositories(of: "apple").load()
        #expect(repositories.map(\.fullName) == ["apple/swift", "apple/swift-nio"])
        #expect(try GitHub.sent().last?.query["sort"] == "pushed")
        #expect(try GitHub.sent().last?["X-GitHub-Api-Version"] == "2022-11-28")
    }

    @Test("has repositories")
    func repository() async throws {
        #expect(try await GitHub.repository("apple", "swift").load().fullName == "apple/swift")
    }

    @Test("has the text of a README")
    func readme() async throws {
        let text = try await GitHub.readme("apple", "swift").load().text()
        #expect(text == "# swift\n\nA project of apple.")
        #expect(try GitHub.sent().last?["Accept"] == "application/vnd.github.raw+json")
    }

    @Test("has the latest release, if there is one")
    func latestRelease() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await GitHub.latestRelease("apple", "swift").load()
        }
        #expect(error?.head?.statusCode == 404)
        let release = try await GitHub.latestRelease("apple", "swift").load()
        #expect(release.tagName == "v1.0.0")
        #expect(release.publishedAt == Date(timeIntervalSince1970: 1_772_220_932))
    }

    @Test("finds repositories")
    func search() async throws {
        let result = try await GitHub.search(for: "swift language:swift").load()
        #expect(result.totalCount == result.items.count)
        #expect(try GitHub.sent().last?.query == ["q": "swift language:swift"])
    }

    @Test("lists all issues, page by page")
    func issues() async throws {
        var numbers: [Int] = []
        for try await issue in GitHub.issues("apple", "swift").elements() { numbers.append(issue.number) }
        #expect(numbers == [3, 2, 1])
        #expect(try GitHub.sent().map { $0.query["page"] } == [nil, "2"])
    }

    @Test("makes issues")
    func createIssue() async throws {
        let issue = NewIssue(title: "Found a bug", labels: ["bug"])
        #expect(try await GitHub.createIssue("apple", "swift", issue).load().number == 1347)
        let sent = try #require(try GitHub.sent().last)
        #expect(sent.text == #"{"title":"Found a bug","labels":["bug"]}"# || sent.text.contains(#""labels":["bug"]"#))
    }

    @Test("makes gists and deletes them")
    func gists() async throws {
        let gist = try await GitHub.createGist(NewGist("Hello", files: ["a.txt": "Hello"])).load()
        #expect(gist.htmlUrl == "https://gist.github.com/2decf6c4")
        let deleted = try await GitHub.deleteGist(gist.id).load()
        #expect(deleted.statusCode == 204)
        #expect(try GitHub.sent().map(\.path) == ["/gists", "/gists/2decf6c4"])
    }

    @Test(
        "says that it is busy",
        .mocked(GitHub.self, [.get("users/{user}"): .sequence(.status(503), .file("users/{user}.GET.json"))])
    )
    func busy() async throws {
        #expect(try await GitHub.user("apple").load().login == "apple")
        #expect(try GitHub.sent().count == 2)
    }
}

@Suite("GitHub, recorded", .timeLimit(.minutes(15)))
struct RecordedGitHubTests {
    @Test("is asked again when it is busy", .recorded("busy-then-fine"))
    func retries() async throws {
        let response = try await GitHub.repository("apple", "swift").response()
        #expect(response.value.name == "swift")
        #expect(response.metrics.attempts.map(\.statusCode) == [503, 200])
    }
}
