// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A file that a download has completed.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The number of bytes of the file.
    public let byteCount: Int
    /// The SHA-256 digest of the content in lower-case hexadecimal digits; `nil` if it was not computed, because there
    /// was nothing to compare it with and ``DownloadOptions/computesSHA256`` is `false`.
    public let sha256: String?
    /// The head of the last response.
    public let head: ResponseHead
    /// The measurements of the last request.
    public let metrics: LoadMetrics
    /// The number of bytes that an earlier call had left on the disk, and that were not loaded again: all of them for a
    /// file that ``DownloadOptions/keepsComplete`` has kept.
    public let resumedFrom: Int
    /// The number of requests that continued the content after a connection broke, in this call.
    public let resumptions: Int
}

extension DownloadedFile: CustomStringConvertible {
    /// The path and the number of bytes.
    public var description: String { Redaction.line("\(path), \(byteCount) bytes") }
}
