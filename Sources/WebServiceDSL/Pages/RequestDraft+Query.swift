// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension RequestDraft {
    /// The decoded value of the first query parameter of a name; `nil` if it is absent.
    func queryValue(_ name: String) -> String? {
        pairs.first { Self.name(of: $0) == name }.map { pair in
            Self.decode(pair.drop { $0 != "=" }.dropFirst())
        }
    }

    /// Sets a query parameter, and replaces all of that name.
    mutating func setQuery(_ name: String, _ value: String) {
        guard let target = fullTarget else { return }
        let pair = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        let others = pairs.filter { Self.name(of: $0) != name }.map(String.init)
        let query = (others + [pair]).joined(separator: "&")
        self.target = target.replacing(encodedPath: target.path, encodedQuery: query)
        self.query = ""
    }

    private var pairs: [Substring] { fullTarget?.query?.split(separator: "&") ?? [] }

    private static func name(of pair: Substring) -> String {
        decode(pair.prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> String {
        PercentEncoding.decode(String(text).replacing("+", with: " "))
    }

    /// Removes what must not go to another origin: the fields that are secret, and the defaults of such fields.
    mutating func removeSecrets() {
        headers = headers.withoutSecrets
        isWithoutSecrets = true
    }
}

extension HTTPFields {
    /// The fields that may go to another origin.
    var withoutSecrets: HTTPFields { filter { !$0.name.isBoundToOrigin } }
}
