// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A policy for compressing request content, with gzip or a coding that you write.
///
///     try await API.post("reports").json(report).compressed().load()
///
/// Compressed content has the field `Content-Encoding: gzip`. HTTP has no way to learn beforehand whether a server
/// accepts it; one that does not responds with 415 (RFC 9110 §15.5.16). Content is not compressed if its request
/// already has a `Content-Encoding`, a digest of the content or a `Content-Range`.
public struct RequestCompression: Sendable {
    /// The smallest size of compressed content, in bytes. Content of unknown size is compressed.
    public var threshold: Int
    /// The effort of gzip, from 1 (fast) to 9 (small).
    public var level: Int
    /// The coding in place of gzip; `nil` for gzip.
    public var coding: (any CustomContentCoding)?
    /// The media types that are not compressed, because they are compressed already: `application/zip`, or `image/*`
    /// for all images apart from text, as in `image/svg+xml`.
    public var skippedMediaTypes: Set<String>
    private var isDisabled = false

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - threshold: The smallest size of compressed content, in bytes.
    ///   - level: The effort, from 1 (fast) to 9 (small).
    ///   - skippedMediaTypes: The media types that are not compressed, such as `image/*`.
    ///   - coding: The coding in place of gzip.
    public init(
        threshold: Int = 1024,
        level: Int = 6,
        skippedMediaTypes: Set<String> = RequestCompression.compressedMediaTypes,
        coding: (any CustomContentCoding)? = nil
    ) {
        self.coding = coding
        self.threshold = threshold
        self.level = level
        self.skippedMediaTypes = skippedMediaTypes
    }

    /// Compresses nothing, even if the network interface compresses.
    public static let none: RequestCompression = {
        var policy = RequestCompression()
        policy.isDisabled = true
        return policy
    }()

    /// Images, video, audio, fonts and archives, whose formats are compressed.
    public static let compressedMediaTypes: Set<String> = [
        "image/*", "video/*", "audio/*", "font/woff", "font/woff2", "application/zip", "application/gzip",
        "application/x-gzip", "application/zstd", "application/x-7z-compressed", "application/x-bzip2",
        "application/x-xz", "application/vnd.rar", "application/pdf", "application/java-archive",
    ]

    /// Whether the content of a request is to be compressed.
    public func applies(to request: NetworkRequest) -> Bool {
        guard !isDisabled, !request.content.isNone, Self.contradictingFields.allSatisfy(request.leavesOpen) else {
            return false
        }
        if let length = request.content.length, length < max(1, threshold) { return false }
        return !skips(request.headers[.contentType] ?? "")
    }

    /// Whether the policy skips a media type; its parameters are ignored.
    private func skips(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        if skippedMediaTypes.contains(type) { return true }
        let isText = type.hasSuffix("+xml") || type.hasSuffix("+json")
        return !isText && skippedMediaTypes.contains(type.prefix { $0 != "/" } + "/*")
    }

    private static let contradictingFields: [HTTPField.Name] = [
        .contentEncoding, .contentRange, .literal("Content-Digest"), .literal("Content-MD5"), .literal("Repr-Digest"),
        .literal("Digest"),
    ]
}

extension RequestCompression: Hashable {
    /// Whether both compress the same content in the same way, with codings of the same type and name.
    public static func == (one: RequestCompression, other: RequestCompression) -> Bool { one.values == other.values }

    /// Hashes the settings, and the type and name of the coding.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    private var values: [AnyHashable] { [threshold, level, skippedMediaTypes, isDisabled, coding?.identity] }
}
