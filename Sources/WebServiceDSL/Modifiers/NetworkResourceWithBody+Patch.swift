// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// Content that says how the server changes a resource. Each modifier replaces the content, and sets `Content-Type`
/// unless the request already has one. Values are encoded as the JSON of the ``WebService``.
extension NetworkResourceWithBody {
    /// Sends a JSON Patch (RFC 6902): `application/json-patch+json`.
    ///
    ///     server.patch("articles/7").jsonPatch([.replace("/title", "Swift"), .remove("/draft")])
    ///
    /// A pointer that is none, and a value that cannot be encoded, fail the load with
    /// ``SwiftyError/Code/encodingFailed``.
    @discardableResult
    public func jsonPatch(_ patch: JSONPatch) -> Self {
        content(patch, mediaType: JSONPatch.mediaType)
    }

    /// Sends a JSON Merge Patch (RFC 7396): `application/merge-patch+json`.
    ///
    ///     server.patch("articles/7").mergePatch { patch in
    ///         patch.set("title", "Swift")
    ///         patch.remove("draft")
    ///     }
    ///
    /// A value that cannot be encoded fails the load with ``SwiftyError/Code/encodingFailed``.
    @discardableResult
    public func mergePatch(_ make: (inout MergePatch) -> Void) -> Self {
        mergePatch(MergePatch(make))
    }

    /// Sends a JSON Merge Patch that was made before; see ``mergePatch(_:)-((MergePatch)->Void)``.
    @discardableResult
    public func mergePatch(_ patch: MergePatch) -> Self {
        content(patch, mediaType: MergePatch.mediaType)
    }

    private func content(_ patch: some Encodable, mediaType: String) -> Self {
        content(patch, format: PatchFormat(json: draft.coding.json, mediaType: mediaType))
    }
}

/// The JSON of a service, with the media type of a patch.
private struct PatchFormat: ContentFormat {
    let json: JSONFormat
    let mediaType: String

    func encode(_ value: some Encodable) throws -> Data { try json.encode(value) }

    func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        try json.decode(type, from: content)
    }
}
