// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The documentation", .serialized, .timeLimit(.minutes(15)))
struct DocumentationTests {
    struct Snippet: Sendable, CustomTestStringConvertible {
        let file: String
        let line: Int
        let code: String
        var testDescription: String { "\(file):\(line)" }
    }

    /// The Swift snippets of README and Docs; a snippet that belongs to a `Package.swift` is none.
    static let snippets: [Snippet] = {
        let root = Compiler.packageFolder
        let docs =
            FileManager.default.enumerator(atPath: root.appendingPathComponent("Docs").path)?.compactMap {
                $0 as? String
            } ?? []
        let files =
            ["README.md", "CONTRIBUTING.md", "Mocks/README.md"]
            + docs.filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        return files.sorted().flatMap { file -> [Snippet] in
            let text = (try? String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)) ?? ""
            return Self.extract(text, file)
        }
    }()

    private static func extract(_ text: String, _ file: String) -> [Snippet] {
        var snippets: [Snippet] = []
        var code: [Substring]?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```swift") {
                code = []
            } else if line.hasPrefix("```"), let lines = code {
                snippets.append(Snippet(file: file, line: index - lines.count, code: lines.joined(separator: "\n")))
                code = nil
            } else {
                code?.append(line)
            }
        }
        return snippets.filter { !$0.code.contains(".package(path:") }
    }

    @Test("has snippets")
    func hasSnippets() {
        #expect(Self.snippets.contains { $0.file == "README.md" })
    }

    @Test("has only snippets that compile without a warning", arguments: snippets)
    func compiles(snippet: Snippet) async throws {
        let root = Compiler.packageFolder
        let prelude = try String(
            contentsOf: root.appendingPathComponent("Tests/CompileTests/Prelude.txt"),
            encoding: .utf8
        )
        let imports =
            "import Foundation\nimport Dispatch\nimport Synchronization\nimport Swifty\nimport SwiftyTesting\nimport Testing\n"
        let diagnosis = try await Compiler.diagnose([
            "prelude.swift": imports + prelude, "main.swift": imports + snippet.code,
        ])
        #expect(diagnosis == "", "\(snippet.testDescription)\n\(diagnosis)")
    }
}
