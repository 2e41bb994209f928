// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds a member of a JSON object by its path, without decoding the rest.
enum JSONMember {
    /// The text of a member that is a string or a number; `nil` if it is absent or `null`.
    ///
    /// - Throws: `DecodingError` if the content is not an object, or the member is something else.
    static func text(_ path: String, of content: Data) throws -> String? {
        content.isEmpty ? nil : try JSONDecoder().decode(Text.self, from: content, configuration: path).value
    }

    /// The number of elements of a member that is an array, or of the content itself; 0 for empty content.
    ///
    /// - Throws: `DecodingError` if there is no array.
    static func count(_ path: String?, of content: Data) throws -> Int {
        content.isEmpty ? 0 : try JSONDecoder().decode(Count.self, from: content, configuration: path).value
    }

    private struct Text: DecodableWithConfiguration {
        let value: String?

        init(from decoder: any Decoder, configuration path: String) throws {
            guard let (container, key) = try Member.find(path, in: decoder), try !container.decodeNil(forKey: key)
            else {
                value = nil
                return
            }
            if let number = try? container.decode(Int.self, forKey: key) {
                value = String(number)
            } else {
                value = try container.decode(String.self, forKey: key)
            }
        }
    }

    private struct Count: DecodableWithConfiguration {
        let value: Int

        init(from decoder: any Decoder, configuration path: String?) throws {
            guard let path else {
                value = try decoder.unkeyedContainer().count ?? 0
                return
            }
            guard let (container, key) = try Member.find(path, in: decoder) else {
                let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no array")
                throw DecodingError.valueNotFound([String].self, context)
            }
            value = try container.nestedUnkeyedContainer(forKey: key).count ?? 0
        }
    }

    private struct Member: CodingKey {
        typealias Container = KeyedDecodingContainer<Member>
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }

        /// The object with the last member of the path, and that member; `nil` if there is no such member.
        static func find(_ path: String, in decoder: any Decoder) throws -> (Container, Member)? {
            try find(path[...], in: decoder.container(keyedBy: Member.self))
        }

        /// Tries the longest name first, so that a name may have dots.
        private static func find(_ path: Substring, in container: Container) throws -> (Container, Member)? {
            let whole = Member(stringValue: String(path))
            if container.contains(whole) { return (container, whole) }
            for dot in path.indices.reversed() where path[dot] == "." {
                let name = Member(stringValue: String(path[..<dot]))
                guard container.contains(name), try !container.decodeNil(forKey: name) else { continue }
                let object = try container.nestedContainer(keyedBy: Member.self, forKey: name)
                if let found = try find(path[dot...].dropFirst(), in: object) { return found }
            }
            return nil
        }
    }
}
