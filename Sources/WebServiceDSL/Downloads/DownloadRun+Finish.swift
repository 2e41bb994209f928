// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

extension DownloadRun {
    /// Checks the content and gives it its final name; `nil` if the server has sent only a piece of the rest.
    mutating func finish(_ stream: ResponseStream) async throws(SwiftyError) -> DownloadedFile? {
        let (length, total) = try await part.use { ($0.length, $0.record.total) }
        if let total, length < total { return try await continueBehindPiece(length) }
        let trailer = DigestField.digest(stream.trailers, isWhole: stream.head.statusCode != 206)
        return try await finish(stream.head, stream.metrics, trailer: options.verifiesDigestFields ? trailer : nil)
    }

    /// Continues after a part that is shorter than requested (RFC 9110 §15.3.7).
    private mutating func continueBehindPiece(_ length: Int) async throws(SwiftyError) -> DownloadedFile? {
        resumption.furthest = max(resumption.furthest, length)
        resumption.count += 1
        return nil
    }

    /// Checks the content and gives it its final name.
    ///
    /// - Parameter trailer: The digest in the trailers of the last response.
    func finish(
        _ head: ResponseHead,
        _ metrics: LoadMetrics,
        trailer: [UInt8]? = nil
    ) async throws(SwiftyError) -> DownloadedFile {
        let digest = try await verifiedDigest(head, trailer: trailer)
        let (target, existing) = (part.target, options.existing)
        let (path, length) = try await part.use { (writer) throws(FileFailure) in
            let name = target.name ?? writer.record.name ?? DownloadFileName.fallback
            return (try writer.commit(as: name, in: target, existing), writer.length)
        }
        return DownloadedFile(
            path: path,
            byteCount: length,
            sha256: digest?.hexadecimal,
            head: head,
            metrics: metrics,
            resumedFrom: resumption.hasStartedOver ? 0 : resumedFrom,
            resumptions: resumption.count
        )
    }

    /// Compares the digest with the expected ones; `nil` if it is not needed.
    private func verifiedDigest(_ head: ResponseHead, trailer: [UInt8]?) async throws(SwiftyError) -> [UInt8]? {
        let isNeeded = expectedDigest != nil || options.computesSHA256 || trailer != nil
        let (digest, field) = try await part.use { (writer) throws(FileFailure) in
            if isNeeded || writer.record.digest != nil { try writer.startHashing() }
            return (writer.digest, writer.record.digest.map { [UInt8]($0) })
        }
        if let expectedDigest, digest != expectedDigest { throw mismatch("the expected one", head) }
        let sent = options.verifiesDigestFields ? trailer ?? field : nil
        if let sent, digest != sent { throw mismatch("the one that the server has sent", head) }
        return digest
    }

    private func mismatch(_ other: String, _ head: ResponseHead) -> SwiftyError {
        failure(.checksumMismatch, "the SHA-256 digest of the content is not \(other)", head)
    }
}
