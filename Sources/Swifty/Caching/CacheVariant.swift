// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The request fields that must be equal for a stored response to answer another request (RFC 9111 §4.1).
struct CacheVariant: Sendable, Equatable {
    /// The compared fields.
    enum Selection: Sendable, Equatable {
        /// Those of `Vary`, in lower case and in order.
        case named([String])
        /// All but those that identify a call.
        case all
    }

    /// The bytes of all names together; a longer list is no honest one.
    static let maximumNameBytes = 2048

    let selection: Selection
    let digest: CacheDigest

    init(selection: Selection, digest: CacheDigest) {
        (self.selection, self.digest) = (selection, digest)
    }

    /// The variant of a response; `nil` for `Vary: *`, and for a list of names that is malformed or too long.
    ///
    /// A `private` response is for one user. Where only the credentials keep users apart, another field may do so too.
    init?(of head: ResponseHead, to request: NetworkRequest, isPartitioned: Bool) {
        guard var names = Self.names(in: head.headers) else { return nil }
        // Some servers encode the content for those that accept it, and do not say so.
        if head.headers.contains(.contentEncoding) { names = Set(names + ["accept-encoding"]).sorted() }
        if names.reduce(0, { $0 + $1.utf8.count + 1 }) > Self.maximumNameBytes { return nil }
        let isPrivate = !isPartitioned && CacheDirectives(head.headers).contains("private")
        selection = isPrivate ? .all : .named(names)
        digest = selection.digest(of: request.headers)
    }

    /// Whether the response may answer a request.
    func matches(_ request: NetworkRequest) -> Bool { selection.digest(of: request.headers) == digest }

    private static func names(in headers: HTTPFields) -> [String]? {
        let names = headers[values: .vary].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingSpacesAndTabs().lowercased() }
        let distinct = Set(names).subtracting([""])
        return distinct.allSatisfy { $0 != "*" && HTTPField.Name($0) != nil } ? distinct.sorted() : nil
    }
}

extension CacheVariant.Selection {
    func digest(of headers: HTTPFields) -> CacheDigest {
        switch self {
        case .named(let names): CacheDigest(names.flatMap { [$0, Self.value(of: $0, in: headers)] })
        case .all: CacheDigest(Self.allFields(of: headers))
        }
    }

    /// The lines of a field as one list, without the blanks around its members, after a plus sign; `-` for a field that
    /// is absent, so that it differs from every value.
    private static func value(of name: String, in headers: HTTPFields) -> String {
        guard let name = HTTPField.Name(name), headers.contains(name) else { return "-" }
        let members = headers[values: name].flatMap { $0.split(separator: ",") }
        return "+" + members.map { $0.trimmingSpacesAndTabs() }.joined(separator: ",")
    }

    private static func allFields(of headers: HTTPFields) -> [String] {
        headers.filter { !CoalescingPolicy.callerFields.contains($0.name) && !ofCaching.contains($0.name) }
            .map { [$0.name.canonicalName, $0.value] }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .flatMap { $0 }
    }

    /// What a policy adds to a request says nothing about its user.
    private static let ofCaching: Set<HTTPField.Name> = [.cacheControl, .literal("Pragma")]
}
