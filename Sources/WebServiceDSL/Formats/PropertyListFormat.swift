// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Content as a property list, in XML or binary; reads both, whichever it writes.
public struct PropertyListFormat: ContentFormat {
    /// The form of what is sent.
    public enum Form: Sendable, Hashable {
        /// `application/x-plist`, as XML
        case xml
        /// `application/x-plist`, in binary
        case binary
    }

    private let form: Form

    /// `application/x-plist`, the type that servers of property lists use; none is registered.
    public var mediaType: String { "application/x-plist" }

    /// Makes a format that writes property lists in a form.
    public init(_ form: Form = .xml) {
        self.form = form
    }

    /// Encodes a value; its outermost value must be an array or a dictionary.
    public func encode(_ value: some Encodable) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = form == .xml ? .xml : .binary
        return try encoder.encode(value)
    }

    /// Decodes a value.
    public func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        try PropertyListDecoder().decode(type, from: content)
    }
}

extension ContentFormat where Self == PropertyListFormat {
    /// A property list in XML.
    public static var propertyList: PropertyListFormat { PropertyListFormat() }
}
