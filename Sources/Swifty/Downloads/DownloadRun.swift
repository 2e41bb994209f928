// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// One call of `download`: requests, until the content is complete or the download fails.
struct DownloadRun {
    var resource: NetworkResource
    /// The request of the caller, whose observers, rates and time limits also apply to renewed links.
    let caller: NetworkResource
    let policy: DownloadPolicy
    /// The digest that the caller expects; `nil` without one.
    let expectedDigest: [UInt8]?
    let part: PartFile
    /// The number of bytes that an earlier call has left.
    let resumedFrom: Int
    var resumption: Resumption

    /// Checks the policy, and opens the files.
    init(_ resource: NetworkResource, to path: String, policy: DownloadPolicy) async throws(SwiftyError) {
        let draft = resource.draft
        if let error = draft.creationError { throw error }
        if draft.method == .head { throw Self.noContent(draft) }
        // A copy, because later changes must not affect the requests that continue the download.
        caller = resource.copy().withMonotonicProgress()
        (self.resource, self.policy) = (caller, policy)
        expectedDigest = try policy.checksum?.digest()
        part = try await PartFile.open(for: path, key: DownloadRecord.key(of: draft.fullTarget), policy: policy)
        let isResumable = policy.isResumable && draft.method == .get && !draft.headers.contains(.range)
        resumption = Resumption(isAllowed: isResumable, maximum: policy.maximumResumptions)
        resumedFrom = isResumable ? try await part.use { $0.length } : 0
        resumption.furthest = resumedFrom
    }

    /// Loads the content into the file.
    mutating func run() async throws(SwiftyError) -> DownloadedFile {
        do throws(SwiftyError) {
            while true {
                if let file = try await attempt() { return file }
            }
        } catch {
            let keeps = resumption.isAllowed && error.code != .checksumMismatch
            // The download has already failed, so an error from closing the files is ignored.
            try? await part.use { $0.abandon(keeping: keeps) }
            throw error
        }
    }

    /// Makes one request; `nil` if another one has to follow.
    private mutating func attempt() async throws(SwiftyError) -> DownloadedFile? {
        let isAllowed = resumption.isAllowed
        let point = try await part.use { isAllowed ? $0.record.point(length: $0.length) : nil }
        do throws(SwiftyError) {
            let stream = try await request(from: point).stream()
            defer { stream.cancel() }
            return try await accept(stream, point)
        } catch {
            return try await recover(from: error, point)
        }
    }

    private func request(from point: ResumePoint?) -> NetworkResource {
        let request = resource.forDownload()
        guard let point else { return request }
        return request.header(.range, "bytes=\(point.length)-").header(.ifRange, point.validator.text)
            .modify { $0.changeTransfer { $0.receivedBefore = point.length } }
    }

    /// Reads the content of a response that is not an error.
    private mutating func accept(
        _ stream: ResponseStream,
        _ point: ResumePoint?
    ) async throws(SwiftyError) -> DownloadedFile? {
        switch DownloadResponse(stream.head, to: point, asked: RequestedRanges(resource.draft.headers)) {
        case .whole(let total):
            if let file = try await completeFile(stream, total: total) { return file }
            try await begin(stream.head, total: total)
            try await receive(stream, limit: total)
        case .range(let bytes, let total):
            let digest = policy.verifiesDigestFields ? DigestField.digest(stream.head) : nil
            try await part.use { (writer) throws(FileFailure) in try writer.resume(total: total, digest: digest) }
            try await prepare()
            try await receive(stream, limit: bytes.count)
        case .mismatch(let reason): throw failure(.rangeMismatch, reason: reason, head: stream.head)
        case .empty:
            let reason = "the server answered \(stream.head.statusText), which has no content to store"
            throw failure(.emptyResponse, reason: reason, head: stream.head)
        case .refused:
            let reason = "the server answered \(stream.head.statusText), whose content is not the one to store"
            throw failure(.unacceptableStatus, reason: reason, head: stream.head)
        case .changed, .complete:
            try await restart(stream.head)
            return nil
        }
        return try await finish(stream)
    }

    /// Begins the file with a response that has the whole content.
    private mutating func begin(_ head: ResponseHead, total: Int?) async throws(SwiftyError) {
        resumption.hasReplacedPart = true
        var record = DownloadRecord(url: DownloadRecord.key(of: resource.draft.fullTarget))
        record.validator = ContentValidator(head)
        record.total = total
        if policy.verifiesDigestFields { record.digest = DigestField.digest(head).map { Data($0) } }
        if part.target.name == nil {
            record.name = DownloadFileName.name(of: head, target: resource.draft.fullTarget)
        }
        let (new, target, existing) = (record, part.target, policy.existing)
        try await part.use { (writer) throws(FileFailure) in
            if let name = new.name { try target.check(name, existing) }
            try writer.begin(new)
        }
        try await prepare()
    }

    /// Checks the space on the disk, and computes the digest if there is one to compare it with.
    private mutating func prepare() async throws(SwiftyError) {
        resumption.hasBegun = true
        let isHashed = expectedDigest != nil || policy.computesSHA256
        let folder = part.target.folder
        try await part.use { (writer, cancellation) throws(FileFailure) in
            try writer.checkSpace(in: folder)
            if isHashed || writer.record.digest != nil { try writer.startHashing(unless: cancellation) }
        }
    }

    /// Writes the content to the file as it arrives. What arrived before a failure is also written.
    ///
    /// - Parameter limit: The number of bytes that must arrive; `nil` if it is unknown.
    private func receive(_ stream: ResponseStream, limit: Int?) async throws(SwiftyError) {
        var writing = ContentWriting(part, policy)
        var count = 0
        do throws(SwiftyError) {
            while let bytes = try await stream.next() {
                count += bytes.count
                if let limit, count > limit {
                    throw failure(
                        .rangeMismatch,
                        reason: "the response has more than \(limit) bytes",
                        head: stream.head
                    )
                }
                try await writing.append(bytes)
            }
            if let limit, count < limit {
                throw failure(
                    .malformedResponse,
                    reason: "the response has \(count) bytes, not \(limit)",
                    head: stream.head
                )
            }
        } catch {
            if !error.isOfFile { try await writing.finish() }
            throw error
        }
        try await writing.finish()
    }

    /// Discards the part: the next request is for the whole content. Allowed once in a call.
    mutating func restart(_ head: ResponseHead) async throws(SwiftyError) {
        if resumption.hasRestarted {
            throw failure(.rangeMismatch, reason: "the content changed again and again during the download", head: head)
        }
        resumption.hasRestarted = true
        let record = DownloadRecord(url: DownloadRecord.key(of: resource.draft.fullTarget))
        try await part.use { (writer) throws(FileFailure) in try writer.begin(record) }
    }

    private static func noContent(_ draft: RequestDraft) -> SwiftyError {
        var error = SwiftyError(.emptyResponse, stage: .building, reason: "a response to HEAD has no content to store")
        error.request = draft.summary
        return error
    }

    func failure(_ code: SwiftyError.Code, reason: String, head: ResponseHead) -> SwiftyError {
        var error = SwiftyError(code, stage: .content, sent: .responded, reason: reason).withResponse(
            head,
            content: nil
        )
        error.request = resource.draft.summary
        return error
    }
}

extension DownloadRun {
    /// Checks the content and gives it its final name; `nil` if the server has sent only a piece of the rest.
    mutating func finish(_ stream: ResponseStream) async throws(SwiftyError) -> DownloadedFile? {
        let (length, total) = try await part.use { ($0.length, $0.record.total) }
        // The part is shorter than requested (RFC 9110 §15.3.7): the rest follows.
        if let total, length < total {
            resumption.furthest = max(resumption.furthest, length)
            resumption.count += 1
            return nil
        }
        let trailer = DigestField.digest(stream.trailers, isWhole: stream.head.statusCode != 206)
        return try await finish(stream.head, stream.metrics, trailer: policy.verifiesDigestFields ? trailer : nil)
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
        let (target, existing) = (part.target, policy.existing)
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
            resumedFrom: resumption.hasReplacedPart ? 0 : resumedFrom,
            resumptions: resumption.count
        )
    }

    /// Compares the digest with the expected ones; `nil` if it is not needed.
    private func verifiedDigest(_ head: ResponseHead, trailer: [UInt8]?) async throws(SwiftyError) -> [UInt8]? {
        let isNeeded = expectedDigest != nil || policy.computesSHA256 || trailer != nil
        let (digest, field) = try await part.use { (writer, cancellation) throws(FileFailure) in
            if isNeeded || writer.record.digest != nil { try writer.startHashing(unless: cancellation) }
            return (writer.digest, writer.record.digest.map { [UInt8]($0) })
        }
        if let expectedDigest, digest != expectedDigest { throw mismatch("the expected one", head) }
        let sent = policy.verifiesDigestFields ? trailer ?? field : nil
        if let sent, digest != sent { throw mismatch("the one that the server has sent", head) }
        return digest
    }

    private func mismatch(_ other: String, _ head: ResponseHead) -> SwiftyError {
        failure(.checksumMismatch, reason: "the SHA-256 digest of the content is not \(other)", head: head)
    }
}
