// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

extension DownloadRun {
    /// The file with the final name, if it already has the content of this response; `nil` otherwise.
    ///
    /// - Parameters:
    ///   - stream: The response, of which only the head is needed.
    ///   - total: The length of its content; `nil` if it is unknown.
    func completeFile(_ stream: ResponseStream, total: Int?) async throws(SwiftyError) -> DownloadedFile? {
        guard policy.keepsComplete, policy.existing != .fail, let total, total <= policy.maximumBytes ?? .max else {
            return nil
        }
        guard resource.draft.method == .get, !resource.draft.headers.contains(.range) else { return nil }
        let (head, target, uri) = (stream.head, part.target, resource.draft.fullTarget)
        let path = target.path(of: target.name ?? DownloadFileName.name(of: head, target: uri))
        let check = CompleteFileCheck(path: path, size: total, head: head)
        let digests = [expectedDigest, policy.verifiesDigestFields ? DigestField.digest(head) : nil].compactMap(\.self)
        let isHashed = !digests.isEmpty || policy.computesSHA256
        let found = try await part.use { (writer, cancellation) throws(FileFailure) -> CompleteFileCheck.Found? in
            guard let found = check.find(isHashed: isHashed, digests, unless: cancellation) else { return nil }
            // A part with content stays; an empty one is removed.
            writer.abandon(keeping: true)
            return found
        }
        if Task.isCancelled { throw Self.cancellation }
        guard let found else { return nil }
        return DownloadedFile(
            path: path,
            byteCount: total,
            sha256: found.digest?.hexadecimal,
            head: head,
            metrics: stream.metrics,
            resumedFrom: total,
            resumptions: 0
        )
    }
}

/// The criteria for a file that already has the whole content. All methods block their thread.
private struct CompleteFileCheck: Sendable {
    /// A file that meets them.
    struct Found: Sendable {
        /// The SHA-256 digest; `nil` if it was not computed.
        let digest: [UInt8]?
    }

    let path: String
    private let size: Int
    /// The time of the content's last change, in seconds since 1970; `nil` if the server does not say it.
    private let lastModified: Int?

    init(path: String, size: Int, head: ResponseHead) {
        (self.path, self.size) = (path, size)
        lastModified = head.headers[.lastModified].flatMap { HTTPDate.secondsSince1970($0[...]) }
    }

    /// The file, if it has the size of the content, is not older than the content's last change, and has the digests.
    func find(isHashed: Bool, _ digests: [[UInt8]], unless cancellation: LoadCancellation) -> Found? {
        guard let file = FilePlace.regularFile(at: path), file.size == size, lastModified ?? .min <= Int(file.modified)
        else { return nil }
        if !isHashed { return Found(digest: nil) }
        guard let digest = try? computeDigest(unless: cancellation), digests.allSatisfy({ $0 == digest }) else {
            return nil
        }
        return Found(digest: digest)
    }

    /// The SHA-256 digest of the file; `nil` if it has become shorter, or the download was cancelled.
    private func computeDigest(unless cancellation: LoadCancellation) throws(FileFailure) -> [UInt8]? {
        let file = try ReadableFile(path)
        var (hasher, place) = (SHA256.Hasher(), 0)
        while place < size {
            let bytes = try file.read(min(256 << 10, size - place), at: place)
            if bytes.isEmpty || cancellation.code != nil { return nil }
            bytes.withUnsafeBytes { hasher.update($0) }
            place += bytes.count
        }
        return hasher.finalize()
    }
}
