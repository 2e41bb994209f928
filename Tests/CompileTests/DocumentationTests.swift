// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The documentation", .timeLimit(.minutes(15)))
struct DocumentationTests {
    struct Snippet: Sendable, CustomTestStringConvertible {
        let file: String
        let line: Int
        /// The language mode: 5 for call sites of Flipkart's Swifty, whose fence is `swift 5`; otherwise 6.
        let mode: String
        let code: String
        var testDescription: String { "\(file):\(line)" }
    }

    /// The Swift snippets of README and Docs, except those of a `Package.swift`.
    static let snippets: [Snippet] = {
        let root = Repository.root
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
        var mode = "6"
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```swift") {
                code = []
                mode = line.hasSuffix(" 5") ? "5" : "6"
            } else if line.hasPrefix("```"), let lines = code {
                let content = lines.joined(separator: "\n")
                snippets.append(Snippet(file: file, line: index - lines.count, mode: mode, code: content))
                code = nil
            } else {
                code?.append(line)
            }
        }
        return snippets.filter { !$0.code.contains(".package(") }
    }

    @Test("has snippets")
    func hasSnippets() {
        #expect(Self.snippets.contains { $0.file == "README.md" })
    }

    @Test("has only snippets that compile, in Swift 6 mode without a warning", arguments: snippets)
    func compiles(snippet: Snippet) async throws {
        let root = Repository.root
        var prelude = try String(
            contentsOf: root.appendingPathComponent("Tests/CompileTests/Prelude.txt"),
            encoding: .utf8
        )
        if snippet.code.contains("GitHub: WebService"), let mark = prelude.firstRange(of: "// MARK:") {
            prelude = String(prelude[..<mark.lowerBound])
        }
        let imports = [
            "Foundation", "Dispatch", "Synchronization", "Swifty", "SwiftyTesting", "SwiftyTestTraits",
            "SwiftyTestServers", "SwiftyConformance", "SwiftyInspector", "Testing",
        ]
        .map { "import \($0)\n" }.joined()
        let diagnosis = try await Compiler.diagnose(
            ["prelude.swift": imports + prelude, "main.swift": imports + snippet.code],
            mode: snippet.mode
        )
        // Hooks are `Sendable`, which a class of Flipkart's time does not declare: a warning in Swift 5 mode.
        let compiles = snippet.mode == "5" ? !diagnosis.contains("error:") : diagnosis == ""
        #expect(compiles, "\(snippet.testDescription)\n\(diagnosis)")
    }

    @Test("names every public function and property of the Compatibility folders in Docs/Migration.md")
    func namesCompatibility() throws {
        let sources = Repository.root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("Docs/Migration.md"),
            encoding: .utf8
        )
        var names: Set<String> = []
        for file in files where file.contains("/Compatibility/") && file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            let declaration = /public (?:static )?(?:func|var|typealias|enum) (\w+)/
            names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        #expect(names.contains("customResource"))
        #expect(names.filter { !page.contains($0) } == [])
    }
}
