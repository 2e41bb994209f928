// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Testing

@Suite("The place of a file", .timeLimit(.minutes(15)))
struct FilePlaceTests {
    @Test("is named from the root by an absolute path")
    func absolute() {
        let folder = FileManager.default.currentDirectoryPath
        #expect(FilePlace.absolute("a/../b.txt") == "\(folder)/a/../b.txt")
        #expect(FilePlace.absolute("./b.txt") == "\(folder)/./b.txt")
        for path in ["/", "/tmp/a", ""] { #expect(FilePlace.absolute(path) == path) }
    }
}
