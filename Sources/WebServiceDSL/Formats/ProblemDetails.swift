// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The details of a problem, as many servers send them with a failed status: `application/problem+json` (RFC 9457).
///
/// A member of another type than the RFC's is left out (RFC 9457 §3.1), so that the rest can be read. Other members
/// are for a type that the API declares, which is decoded instead of this one.
public struct ProblemDetails: Codable, Sendable, Hashable {
    /// The kind of the problem, a URI reference; `about:blank` without one, for what the status says.
    public var type: String
    /// A summary of the kind of the problem.
    public var title: String?
    /// The status code that the origin server generated.
    public var status: Int?
    /// An explanation of this occurrence of the problem.
    public var detail: String?
    /// This occurrence of the problem, a URI reference.
    public var instance: String?

    /// Makes the details of a problem.
    public init(
        type: String = "about:blank",
        title: String? = nil,
        status: Int? = nil,
        detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    /// Decodes an object that has at least one member of a problem.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
        let type = text(.type)
        self.init(
            type: type ?? "about:blank",
            title: text(.title),
            status: try? container.decodeIfPresent(Int.self, forKey: .status),
            detail: text(.detail),
            instance: text(.instance)
        )
        if type == nil, title == nil, detail == nil, status == nil, instance == nil {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no problem details")
            throw DecodingError.dataCorrupted(context)
        }
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// The title and the detail: `Out of credit: your balance is 30, but that costs 50`.
    public var description: String {
        let parts = [title, detail].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? type : parts.joined(separator: ": ")
    }
}
