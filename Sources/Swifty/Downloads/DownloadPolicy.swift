// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The behaviour of a download to a file; see ``NetworkResource/download(to:policy:)``.
public struct DownloadPolicy: Sendable {
    /// The treatment of a file that exists under the final name.
    public enum ExistingFile: Sendable, Hashable {
        /// It is replaced when the download is complete, and not touched until then.
        case replace
        /// The download fails with ``SwiftyError/Code/fileExists``.
        case fail
        /// It stays, and the new one gets a number in its name: `name-1.txt`.
        case keepBoth
    }

    /// The treatment of an existing file; ``ExistingFile/replace`` by default.
    public var existing: ExistingFile
    /// Whether the part that has arrived is kept when the download fails or is cancelled, and continued by the next
    /// one; `true` by default. It also continues within the same call when a connection breaks.
    ///
    /// Only a GET request is continued, and only if the server gave the content a strong validator.
    public var isResumable: Bool
    /// Whether the part that an earlier call has left is continued; `true` by default. If not, it is replaced.
    public var continuesEarlier = true
    /// Whether a file that is complete already is kept and not loaded again; `false` by default.
    ///
    /// It is complete if it has the final name and the size of the content, if the server does not say that the content
    /// is newer than the file (`Last-Modified`), and if it has the digests that are expected. The request is sent, and
    /// the response is abandoned after its head. Without `Last-Modified` and without a digest, content of the same size
    /// counts as the same, as with `curl -C -` and `wget -c`. ``DownloadedFile/resumedFrom`` is then the size of the
    /// file. It has no effect on a request with a method other than GET or with a `Range`, nor with
    /// ``ExistingFile/fail``.
    public var keepsComplete = false
    /// The largest content, in bytes; `nil`, the default, sets no limit. A larger one fails the download with
    /// ``SwiftyError/Code/responseTooLarge``.
    public var maximumBytes: Int?
    /// The digest that the content must have; `nil` by default.
    public var checksum: Checksum?
    /// Whether the content is compared with the SHA-256 digest that the server sends along, in `Repr-Digest` or
    /// `Content-Digest` (RFC 9530); `true` by default.
    public var verifiesDigestFields: Bool
    /// Whether the SHA-256 digest is computed even if there is nothing to compare it with; `false` by default.
    public var computesSHA256: Bool
    /// The number of consecutive continuations without a new byte after which a broken download fails; 5 by default.
    /// Zero continues only in the next call.
    public var maximumResumptions: Int
    /// Makes a new request when the URL has expired; `nil` by default.
    ///
    /// It is called when the server answers with 401, 403, 404 or 410 although a part of the content has arrived
    /// already, and again only after more has arrived. The new URL must lead to the same content, which is recognized
    /// by its validator. It keeps the observers of the download, and the rates and time limits that the new request
    /// does not set.
    ///
    /// A ``SwiftyError`` that it throws ends the download, and a `CancellationError` ends it as
    /// ``SwiftyError/Code/cancelled``; any other error becomes the underlying error of the server's answer.
    public var renewLink: (@Sendable () async throws -> NetworkResource)?

    /// The system's error number in place of a write, for tests. Its arguments are the offset and the number of bytes.
    package var writeFault: (@Sendable (_ place: Int, _ count: Int) -> Int32?)?
    /// The system's error number in place of a new file for the record, for tests.
    package var recordFault: (@Sendable () -> Int32?)?
    /// The time after which received bytes are flushed to the disk; a quarter of it if there are many.
    package var checkpointInterval = Duration.seconds(2)

    /// Makes a policy.
    public init(
        existing: ExistingFile = .replace,
        isResumable: Bool = true,
        checksum: Checksum? = nil,
        verifiesDigestFields: Bool = true,
        computesSHA256: Bool = false,
        maximumResumptions: Int = 5,
        renewLink: (@Sendable () async throws -> NetworkResource)? = nil
    ) {
        self.existing = existing
        self.isResumable = isResumable
        self.checksum = checksum
        self.verifiesDigestFields = verifiesDigestFields
        self.computesSHA256 = computesSHA256
        self.maximumResumptions = maximumResumptions
        self.renewLink = renewLink
    }
}

extension DownloadPolicy {
    /// A digest that is known before the download.
    public struct Checksum: Sendable, Hashable {
        let text: String

        /// A SHA-256 digest in hexadecimal digits of either case. A string that is not one fails the download with
        /// ``SwiftyError/Code/checksumMismatch`` before any request.
        public static func sha256(_ hexadecimal: String) -> Checksum { Checksum(text: hexadecimal) }

        func digest() throws(SwiftyError) -> [UInt8] {
            if let bytes = [UInt8](hexadecimal: text), bytes.count == 32 { return bytes }
            let reason = "the expected SHA-256 digest is not 64 hexadecimal digits"
            throw SwiftyError(.checksumMismatch, stage: .building, reason: reason)
        }
    }
}

/// A file that a download has completed.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The number of bytes of the file.
    public let byteCount: Int
    /// The SHA-256 digest of the content in lower-case hexadecimal digits; `nil` if it was not computed, because there
    /// was nothing to compare it with and ``DownloadPolicy/computesSHA256`` is `false`.
    public let sha256: String?
    /// The head of the last response.
    public let head: ResponseHead
    /// The measurements of the last request.
    public let metrics: LoadMetrics
    /// The number of bytes that an earlier call had left on the disk, and that were not loaded again: all of them for a
    /// file that ``DownloadPolicy/keepsComplete`` has kept.
    public let resumedFrom: Int
    /// The number of requests that continued the content after a connection broke, in this call.
    public let resumptions: Int
}

extension DownloadedFile: CustomStringConvertible {
    /// The path and the number of bytes.
    public var description: String { Redaction.line("\(path), \(byteCount) bytes") }
}
