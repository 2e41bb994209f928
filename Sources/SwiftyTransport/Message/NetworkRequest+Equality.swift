// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Requests are equal if a server could not tell them apart: by method, target, header fields and content. Time limits,
/// priority and name do not count, nor does the case of a field's name or the order of fields with different names.
///
/// Content that is produced while it is sent is equal only if it comes from the same source.
extension NetworkRequest: Hashable {
    /// Whether two requests mean the same.
    public static func == (one: NetworkRequest, other: NetworkRequest) -> Bool {
        one.method == other.method && one.target.string == other.target.string && one.content.isSame(as: other.content)
            && one.fieldValues == other.fieldValues
    }

    /// Hashes the method, the target and the length of the content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method.rawValue)
        hasher.combine(target.string)
        hasher.combine(content.length)
    }

    private var fieldValues: [HTTPField.Name: [String]] {
        Dictionary(grouping: headers, by: \.name).mapValues { $0.map(\.value) }
    }
}

extension NetworkRequest.Content {
    fileprivate func isSame(as other: NetworkRequest.Content) -> Bool {
        switch (self, other) {
        case (.none, .none): true
        case (.data(let one), .data(let other)): one == other
        case (.source(let one), .source(let other)): one === other
        default: false
        }
    }
}
