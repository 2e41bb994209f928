// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

extension MockScopeTests {
    @Test("match a literal path by its template and its values")
    func literalPaths() async throws {
        let (branch, file) = (Forge.branch("a/b", of: "swifty"), Forge.file("Sources/a.swift", of: "swifty"))
        let cases: [(MockPattern, NetworkResource, Bool)] = [
            (.get("repos/{}/branches/{}"), branch, true),
            (.get("repos/{repository}/branches/{name}"), branch, true),
            (.get("repos/swifty/branches/{name}"), branch, true),
            (.get("repos/other/branches/{}"), branch, false),
            (.get("repos/{}/branches"), branch, false),
            (.get("repos/{repository}/files/{*}/raw"), file, true),
            (.get("repos/{}/files/{file*}/raw"), file, true),
            (.get("repos/swifty/files/Sources/a.swift/raw"), file, true),
            (.get("repos/swifty/files/Sources/{name}/raw"), file, true),
            (.get("repos/swifty/files/{name}/raw"), file, false),
            (.get("{all*}"), file, true),
            (.get("repos/swifty/{a}/{rest*}"), file, true),
            (.get("repos/swifty/files/Sources/a.swift/raw/{rest*}"), file, false),
        ]
        for (pattern, resource, matches) in cases {
            let error = try await withMocks(for: Forge.self, [pattern: .status(200)]) {
                await failure { try await resource.load() }
            }
            #expect(error?.code == (matches ? nil : .mockUnavailable), "\(pattern) \(resource)")
        }
    }

    @Test("find the file of a function first, and then that of the template")
    func templateFiles() async throws {
        let byTemplate = [
            "repos/{}/branches/{}.http": "HTTP/1.1 200 OK\n\ntemplate",
            "repos/{repository}/files/{*}/raw.http": "HTTP/1.1 200 OK\n\n{{repository}}",
        ]
        for (files, answers) in [
            (byTemplate, ["template", "swifty"]),
            (byTemplate.merging(["branch.txt": "function"]) { $1 }, ["function", "swifty"]),
        ] {
            let (policy, folder) = try policy(files)
            try await withMocks(for: Forge.self, policy: policy) {
                let texts = [
                    try await Forge.branch("a/b", of: "swifty").load().text(),
                    try await Forge.file("Sources/a.swift", of: "swifty").load().text(),
                ]
                #expect(texts == answers)
            }
            withExtendedLifetime(folder) {}
        }
    }
}
