// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@testable import Swifty

@Suite("The part of a download", .timeLimit(.minutes(15)))
struct PartFileTests {
    @Test("is not hashed any more once the task is cancelled, and stays as it is")
    func cancellation() async throws {
        let folder = try TemporaryFolder()
        let key = "https://example.test/a"
        let part = try await PartFile.open(for: folder.path("a"), key: key, policy: DownloadPolicy())
        let content = Data(repeating: 7, count: 1_000_000)
        try await part.use { (writer) throws(FileFailure) in
            try writer.begin(DownloadRecord(url: key))
            try writer.append([content])
        }
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure {
                try await part.use { (writer, cancellation) throws(FileFailure) in
                    try writer.startHashing(unless: cancellation)
                }
            }
        }.value
        #expect(error?.code == .cancelled && error?.reason == "the load was cancelled")
        let (length, digest) = try await part.use { ($0.length, $0.digest) }
        #expect(length == content.count && digest == nil)
        try await part.use { (writer, cancellation) throws(FileFailure) in
            try writer.startHashing(unless: cancellation)
        }
        #expect(try await part.use { $0.digest } == SHA256.hash(Array(content)))
    }

    @Test("is locked until it has its final name, even while its writer is still there")
    func lock() throws {
        let folder = try TemporaryFolder()
        let (path, target, key) = (folder.path("a.part"), folder.path("a"), "https://example.test/a")
        let writer = try PartWriter(at: path, of: target, key: key, policy: DownloadPolicy())
        try writer.begin(DownloadRecord(url: key))
        try writer.append([Data("a".utf8)])
        let error = #expect(throws: FileFailure.self) { try LockedFile.make(at: path) }
        #expect(error?.kind == .inUse)
        try writer.commit(to: target, replacing: true)
        let file = try LockedFile.make(at: target)
        #expect(!file.wasEmpty)
        withExtendedLifetime(writer) {}
    }
}
