// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A download whose process is killed", .timeLimit(.minutes(15)))
struct KilledDownloadTests {
    private static let kills = 50
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(2_000_000)
    private var path: String { folder.path("a.bin") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A server that sends 400 kB within 0.1 s or more. It takes a hundred seconds for the bytes that follow, so that
    /// most downloads are not complete when a test on a busy machine gets to kill them.
    private func slowServer(until isLast: Gate) throws -> FileServer {
        let content = content
        return try FileServer(content) { _, request, response in
            let start = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            guard !isLast.isOpen, start < content.count else { return response }
            let slow = min(start + 400_000, content.count)
            let rest = min(slow + 10_000, content.count)
            var chunks = stride(from: start, to: slow, by: 40_000).map { content[$0..<min($0 + 40_000, slow)] }
            chunks += (slow..<rest).map { content[$0...$0] }
            if rest < content.count { chunks.append(content[rest...]) }
            var held = LoopbackResponse.chunks(chunks, every: .milliseconds(10))
            (held.status, held.headers) = (response.status, response.headers)
            return held
        }
    }

    private func start(_ server: FileServer) throws -> ChildProcess {
        let program = Program.products.appending(path: "DownloadPeer").path
        return try ChildProcess(
            program,
            [server.server.url, path],
            output: folder.path("output"),
            errors: folder.path("errors")
        )
    }

    /// The number of bytes that are recorded as safe; 0 without a record of a part that can be continued.
    private func safeLength() -> Int {
        struct Record: Decodable { let length: Int }
        let record = (try? folder.data(".a.bin.swiftypart.json")).flatMap {
            try? JSONDecoder().decode(Record.self, from: $0)
        }
        guard let record, let part = try? folder.data(".a.bin.swiftypart"), part.count >= record.length else {
            return 0
        }
        #expect(part.prefix(record.length) == content.prefix(record.length))
        return record.length
    }

    /// Checks the file if the download was complete before the end of its process, and begins anew.
    private func takeFinishedFile() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        #expect(try folder.data("a.bin") == content)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("at any moment goes on where its bytes were safe, and is complete in the end")
    func killed() async throws {
        let isLast = Gate()
        let server = try slowServer(until: isLast)
        var random = SplitMix(seed: 11)
        var continued = 0
        for number in 0..<Self.kills {
            let safe = safeLength()
            let process = try start(server)
            try await until { server.ranges.count == number + 1 || !process.isRunning }
            // Every second time at any moment, and else when more is safe, which takes long on a slow machine.
            if number.isMultiple(of: 2) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &random)))
            } else {
                try await until { safeLength() > safe || !process.isRunning }
            }
            kill(process.id, SIGKILL)
            process.wait()
            #expect(server.ranges.last == (safe == 0 ? "-" : "bytes=\(safe)-"), "\(number)")
            continued += safe == 0 ? 0 : 1
            try takeFinishedFile()
        }
        #expect(continued >= 10, "\(continued)")
        let safe = safeLength()
        isLast.open()
        let process = try start(server)
        #expect(try await onOwnThread { process.wait() } == 0, "\(folder.lines("errors"))")
        #expect(server.ranges.count == Self.kills + 1)
        #expect(folder.lines("output").last == "\(safe) \(SHA256.hash(Array(content)).hexadecimal)")
        #expect(try folder.data("a.bin") == content)
        #expect(folder.fileNames == ["a.bin", "errors", "output"])
    }
}
