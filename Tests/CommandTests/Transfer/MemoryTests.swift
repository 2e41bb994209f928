// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// A sanitizer has memory of its own.
#if os(Linux) && !SWIFTY_THREAD_SANITIZER
import Foundation
import TestSupport
import Testing

@Suite("The memory of a transfer", .serialized, .timeLimit(.minutes(15)))
struct MemoryTests {
    /// A multiple of 64 KiB.
    private static let size = 300 << 20

    @Test(
        "does not grow with its content",
        arguments: [
            (command: "swifty -o file URL", isUpload: false),
            (command: "swifty --stream URL > /dev/null", isUpload: false),
            (command: "swifty -o - URL | cat > /dev/null", isUpload: false),
            (command: "swifty -o /dev/null URL", isUpload: false), (command: "swifty -T large URL", isUpload: true),
            (command: "swifty URL --data @large", isUpload: true), (command: "swifty URL < large", isUpload: true),
            (command: "cat large | swifty URL", isUpload: true), (command: "swifty URL a=1 f@large", isUpload: true),
        ]
    )
    func isFlat(command: String, isUpload: Bool) async throws {
        let folder = try TemporaryFolder()
        let large = "\(isUpload ? "truncate -s \(Self.size) large; " : "")"
        let path = "cd '\(folder.path)'; PATH='\(Program.products.path)':$PATH; \(large)\(command)"
        let peer = ExternalProgram.peer("command_memory.py")
        let run = try await Program.run("/usr/bin/python3", [peer, "\(Self.size)", path])
        let result = try run.json()
        #expect(result["status"] as? Int == 0, "\(run.errors)")
        let kibibytes = try #require(result["kibibytes"] as? Int)
        #expect(kibibytes < 64 << 10, "\(kibibytes) KiB")
        if isUpload { #expect(try #require(result["received"] as? Int) >= Self.size) }
        if command.contains("-o file") { #expect(try folder.data("file").count == Self.size) }
    }
}
#endif
