// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A link of a response, as its `Link` field describes it.
///
///     let next = response.head?.links.first { $0.relations.contains("next") }
///
/// Source: RFC 8288.
public struct WebLink: Sendable, Hashable {
    /// The target as the server wrote it: a URI, or a reference relative to the URI of the response. Bytes above ASCII
    /// are percent-encoded.
    public let target: String
    /// The relation types of the first `rel`, in lower case; they are compared without case (RFC 8288 §3.3).
    public let relations: Set<String>
    /// The parameters by name in lower case, the first of each name, without quotes. Those with a `*` (RFC 8187) are
    /// decoded, and keep the `*` in their name.
    public let parameters: [String: String]

    /// The title: `title*`, or else `title`; `nil` if there is neither.
    public var title: String? { parameters["title*"] ?? parameters["title"] }

    /// The context of the link as the server wrote it, if that is not the resource of the response.
    public var anchor: String? { parameters["anchor"] }

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - target: A URI, or a relative reference.
    ///   - parameters: The parameters, by name in lower case; `rel` has the relation types.
    public init(target: String, parameters: [String: String]) {
        self.target = target
        self.parameters = parameters
        relations = Set((parameters["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }.map(String.init))
    }
}

extension ResponseHead {
    /// The links of all `Link` fields, in order. Those before a malformed one are kept, those after it in the same
    /// field are not.
    public var links: [WebLink] { headers[fields: .link].flatMap { WebLinkParser.parse($0).links } }

    /// The largest size of all `Link` fields together that is parsed strictly, in bytes.
    private static var linkLimit: Int { 64 << 10 }

    /// The links of all `Link` fields; `nil` if one of them is malformed or they are larger than 64 KiB.
    package var wellFormedLinks: [WebLink]? {
        var (links, size) = ([WebLink](), 0)
        for field in headers[fields: .link] {
            size += field.withUnsafeBytesOfValue(\.count)
            guard size <= Self.linkLimit else { return nil }
            let parsed = WebLinkParser.parse(field)
            guard parsed.isComplete else { return nil }
            links += parsed.links
        }
        return links
    }
}

extension WebLink {
    /// Whether the link's context is the resource itself, and not another one that `anchor` names.
    ///
    /// - Parameter base: The target of the response.
    package func isOf(_ base: TargetURI) -> Bool {
        guard let anchor else { return true }
        do throws(TargetURI.ValidationError) {
            let (target, fragment) = try TargetURI.resolve(anchor.utf8, against: base)
            return target == base && fragment == nil
        } catch {
            return false
        }
    }
}

extension HTTPField.Name {
    /// `Link` (RFC 8288).
    package static let link = literal("Link")
}
