// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResource {
    /// Makes a request whose response is decoded as a value; see ``TypedResource``.
    ///
    ///     static func user() -> TypedResource<User> { server.get("user").decode() }
    ///     static func items() -> TypedResource<[Item]> { server.get("items").decode(at: "data.items") }
    ///
    /// If the type is optional, the value of an empty response and of an absent place is `nil`. A `String` of a media
    /// type other than JSON is the text itself, as in ``NetworkResponse/text()``.
    ///
    /// - Parameters:
    ///   - type: The type of the value; where the context says it, it can be left out.
    ///   - place: The place of the value in the content; `nil` for the whole content.
    ///   - decoder: The decoder of JSON; the format of the request if `nil`.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        at place: ContentPlace? = nil,
        decoder: JSONDecoder? = nil
    ) -> TypedResource<Value> {
        decode(type, at: place, in: decoder.map { JSONFormat(decoder: $0) } ?? draft.coding.format)
    }

    /// Makes a request whose response is decoded as a value in a format. The request has the media type of the format
    /// as its `Accept`, unless it has one.
    ///
    /// - Parameters:
    ///   - type: The type of the value; where the context says it, it can be left out.
    ///   - place: The place of the value in the content; `nil` for the whole content.
    ///   - format: The format.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        at place: ContentPlace? = nil,
        format: any ContentFormat
    ) -> TypedResource<Value> {
        decode(type, at: place, in: format)
    }

    /// Makes a request whose value is the content itself; empty without any.
    public func decode(_ type: Data.Type = Data.self) -> TypedResource<Data> {
        TypedResource(self, ResponseReader { response throws(SwiftyError) in response.data ?? Data() })
    }

    /// Makes a request without a value, for which a successful status is all that counts.
    ///
    ///     static func delete(_ id: Int) -> TypedResource<Void> { server.delete("users/\(id)").decode() }
    public func decode(_ type: Void.Type = Void.self) -> TypedResource<Void> {
        TypedResource(self, ResponseReader { response throws(SwiftyError) in })
    }

    private func decode<Value: Decodable & Sendable>(
        _ type: Value.Type,
        at place: ContentPlace?,
        in format: any ContentFormat
    ) -> TypedResource<Value> {
        let reader = ResponseReader { response throws(SwiftyError) in try response.decode(type, at: place, in: format) }
        return TypedResource(self, reader).accepting(format)
    }
}

extension TypedResource {
    /// Asks for the media type of a format, unless the request asks for another one.
    func accepting(_ format: any ContentFormat) -> Self {
        guard let types = format.acceptedMediaTypes else { return self }
        return modify { $0.accept(types) }
    }
}

extension RequestDraft {
    /// Asks for media types, unless the request asks for others, or for none.
    mutating func accept(_ mediaTypes: String) {
        if headers.contains(.accept) || removedHeaders.contains(.accept) { return }
        setHeader(.accept, mediaTypes, replacing: true)
    }
}
