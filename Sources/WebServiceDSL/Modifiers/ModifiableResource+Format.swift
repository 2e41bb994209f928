// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Sets the format of values that are sent and loaded, in place of that of the ``WebService``.
    ///
    ///     server.post("report").format(.propertyList).content(report)
    ///
    /// It comes before `content(_:)` and `decode(_:)`, which use it.
    @discardableResult
    public func format(_ format: any ContentFormat) -> Self {
        modify { $0.setFormat(format) }
    }
}

extension NetworkResourceWithBody {
    /// Sends a value in a format, with its media type as the `Content-Type` unless the request has one.
    ///
    /// A value that cannot be encoded fails the load with ``SwiftyError/Code/encodingFailed``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - format: The format; that of the request if `nil`.
    @discardableResult
    public func content(_ value: some Encodable, format: (any ContentFormat)? = nil) -> Self {
        let format = format ?? draft.coding.format
        do {
            // Encodes before it locks the resource, because encoding runs the caller's code.
            let content = try format.encode(value)
            return modify { $0.setContent(.data(content), contentType: format.mediaType) }
        } catch {
            let reason = "the content cannot be encoded as \(format.mediaType): \(error)"
            return modify { $0.fail(.encodingFailed, reason, underlying: error) }
        }
    }
}
