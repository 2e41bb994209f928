// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `Scripts/test-examples` builds the packages and runs their tests, which takes longer.
@Suite("The examples", .timeLimit(.minutes(15)))
struct ExampleTests {
    static let packages: [String] = {
        let folder = Repository.root.appendingPathComponent("Examples")
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        // The modules of other packages, such as a server framework's, are not built here: `Scripts/test-examples`
        // builds the examples that need them.
        return all.filter { package in
            let manifest = folder.appendingPathComponent("\(package)/Package.swift")
            return (try? String(contentsOf: manifest, encoding: .utf8))?.contains(".package(url:") == false
        }
    }()

    @Test("compile with their tests, without a warning", arguments: packages)
    func compiles(package: String) async throws {
        let folder = Repository.root.appendingPathComponent("Examples/\(package)")
        var files: [String: String] = [:]
        for place in ["Sources", "Tests"] {
            let paths = FileManager.default.enumerator(atPath: folder.appendingPathComponent(place).path)
            for case let path as String in try #require(paths) where path.hasSuffix(".swift") {
                let file = folder.appendingPathComponent("\(place)/\(path)")
                // One module has both.
                files[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
                    .replacingOccurrences(of: "@testable import \(package)\n", with: "")
                    .replacingOccurrences(of: "import \(package)\n", with: "")
            }
        }
        #expect(files.count > 1)
        let diagnosis = try await Compiler.diagnose(files)
        #expect(diagnosis == "")
    }

    @Test("exist")
    func exist() {
        #expect(Self.packages.contains("GitHubAPI"))
    }
}
