// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// How a request finds the next page of a collection.
///
/// An API sets it once, for all of its requests or for one:
///
///     static func configure(_ resource: NetworkResource) {
///         resource.pagination(.linkHeader)
///     }
///
///     for try await repository in GitHub.repositories(of: "apple").elements() { … }
///
/// All pages are loaded by the same request with another target. A next page at another origin is refused, unless
/// ``allowingOtherOrigins()`` permits it; it then gets no credentials. A next page never leads from `https` to `http`.
public struct Pagination: Sendable {
    /// Finds something in the content of a page; `nil` if it is absent.
    typealias Search<Value> = @Sendable (Data) throws -> Value?

    /// The source of the next target.
    enum Kind: Sendable {
        case link(relation: String)
        case url(Search<String>)
        case cursor(Search<String>, query: String)
        case number(Numbering)
    }

    /// Pages by number.
    struct Numbering: Sendable {
        let query: String
        let first: Int
        let step: Int
        let size: Int?
        let sizeQuery: String?
        let count: Search<Int>
    }

    /// The parts, boxed so that a pagination does not make a request larger.
    private final class Parts: Sendable {
        let kind: Kind
        let maximumPages: Int
        let allowsOtherOrigins: Bool

        init(_ kind: Kind, maximumPages: Int, allowsOtherOrigins: Bool) {
            self.kind = kind
            self.maximumPages = maximumPages
            self.allowsOtherOrigins = allowsOtherOrigins
        }
    }

    private let parts: Parts

    private init(_ kind: Kind, maximumPages: Int = 10_000, allowsOtherOrigins: Bool = false) {
        parts = Parts(kind, maximumPages: maximumPages, allowsOtherOrigins: allowsOtherOrigins)
    }

    var kind: Kind { parts.kind }
    /// The largest number of pages; 10,000 by default.
    public var maximumPages: Int { parts.maximumPages }
    /// Whether a page may be at another origin than the first; `false` by default.
    public var allowsOtherOrigins: Bool { parts.allowsOtherOrigins }

    /// The same pagination with another largest number of pages. A further page fails with
    /// ``SwiftyError/Code/tooManyPages``.
    public func maximumPages(_ count: Int) -> Pagination {
        Pagination(kind, maximumPages: count, allowsOtherOrigins: allowsOtherOrigins)
    }

    /// The same pagination, whose next page may be at another origin.
    ///
    /// There, and on all pages after it, the request has no `Authorization`, no cookies and no other field that looks
    /// like a secret, and it must have no content. Interceptors and constraints of the network interface see the page's
    /// target, and must themselves not send secrets to it.
    public func allowingOtherOrigins() -> Pagination {
        Pagination(kind, maximumPages: maximumPages, allowsOtherOrigins: true)
    }
}

extension Pagination {
    /// The target of the link with `rel="next"` in the `Link` field (RFC 8288). A response without one is the last.
    public static let linkHeader = linkHeader(relation: "next")

    /// The target of the link with a relation type in the `Link` field (RFC 8288).
    public static func linkHeader(relation: String) -> Pagination {
        Pagination(.link(relation: relation.lowercased()))
    }

    /// A URL in the JSON content, absolute or relative to that of the page. The page is the last if there is none, or
    /// if it is `null` or an empty string.
    ///
    /// - Parameter member: The member of the content's object, such as `next`. Dots lead into objects: `links.next`. A
    ///   name that contains dots is also found: `@odata.nextLink`.
    public static func nextURL(in member: String) -> Pagination {
        nextURL { try JSONMember.text(member, of: $0) }
    }

    /// A URL in the content that a closure finds; `nil` or an empty string after the last page.
    public static func nextURL(_ find: @escaping @Sendable (_ content: Data) throws -> String?) -> Pagination {
        Pagination(.url(find))
    }

    /// A cursor in the JSON content, which is sent as a parameter of the query. The page is the last if there is none,
    /// or if it is `null` or an empty string.
    ///
    /// - Parameters:
    ///   - member: The member with the cursor, a string or a number; see ``nextURL(in:)``.
    ///   - query: The parameter.
    public static func cursor(in member: String, query: String = "cursor") -> Pagination {
        cursor(query: query) { try JSONMember.text(member, of: $0) }
    }

    /// A cursor that a closure finds in the content; `nil` or an empty string after the last page.
    public static func cursor(
        query: String = "cursor",
        _ find: @escaping @Sendable (_ content: Data) throws -> String?
    ) -> Pagination {
        Pagination(.cursor(find, query: query))
    }

    /// Numbers in the query: pages, or offsets of elements.
    ///
    /// An empty page marks the end, and is not delivered unless it is the first. If the size of pages is given, a page
    /// with fewer elements is the last. A request that has the parameter already begins with that page.
    ///
    /// - Parameters:
    ///   - query: The parameter with the number.
    ///   - first: The number of the first page.
    ///   - step: The difference between two pages; the size of a page for offsets.
    ///   - size: The number of elements of a full page; `nil` if it is unknown.
    ///   - sizeQuery: The parameter that asks for the size; `nil` sends none.
    ///   - member: The member of the content's object that is the array of elements; see ``nextURL(in:)``. `nil` if the
    ///     content itself is the array.
    public static func pageNumber(
        query: String = "page",
        first: Int = 1,
        step: Int = 1,
        size: Int? = nil,
        sizeQuery: String? = nil,
        elementsIn member: String? = nil
    ) -> Pagination {
        let numbering = Numbering(
            query: query,
            first: first,
            step: step,
            size: size,
            sizeQuery: sizeQuery,
            count: { try JSONMember.count(member, of: $0) }
        )
        return Pagination(.number(numbering))
    }
}
