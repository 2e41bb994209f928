// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ResponseHead.HTTPVersion: Codable {}

/// A head as an archive: its status, and its fields as pairs in their order. Values are those that the server sent,
/// with its cookies and other secrets.
extension ResponseHead: Codable {
    private enum Key: CodingKey { case statusCode, reasonPhrase, httpVersion, headers }

    private struct Field: Codable {
        let name: String
        let value: String
    }

    /// Decodes a head.
    ///
    /// - Throws: `DecodingError` for an archive of something else, and for a field that HTTP does not allow.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let fields = try members.value(forKey: .headers, default: [Field]())
        var headers = HTTPFields()
        // HTTPTypes traps when a collection gets its 65,536th field.
        guard fields.count <= 60_000 else { throw Self.fault("too many fields", in: members) }
        for field in fields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else {
                throw Self.fault("a field that HTTP does not allow", in: members)
            }
            headers.append(HTTPField(name: name, value: field.value))
        }
        self.init(
            statusCode: try members.decode(Int.self, forKey: .statusCode),
            reasonPhrase: try members.value(forKey: .reasonPhrase, default: ""),
            httpVersion: try members.value(forKey: .httpVersion, default: .http1_1),
            headers: headers
        )
    }

    /// Encodes the status and all fields.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(statusCode, forKey: .statusCode)
        try members.encode(reasonPhrase, forKey: .reasonPhrase)
        try members.encode(httpVersion, forKey: .httpVersion)
        try members.encode(headers.map { Field(name: $0.name.rawName, value: $0.value) }, forKey: .headers)
    }

    private static func fault(_ reason: String, in members: KeyedDecodingContainer<Key>) -> DecodingError {
        .dataCorruptedError(forKey: .headers, in: members, debugDescription: reason)
    }
}
