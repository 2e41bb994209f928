// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkRequest {
    /// What the request may have changed, if its method is not safe: its target, and what its response names of the
    /// same origin (RFC 9111 §4.4).
    ///
    /// - Parameter head: The head of the response; `nil` without one.
    func changedTargets(after head: ResponseHead?) -> [TargetURI] {
        let named = [HTTPField.Name.location, .contentLocation].compactMap { head?.headers[$0] }
        return [target]
            + named.compactMap { try? TargetURI.resolve($0.utf8, against: target).target }
            .filter { $0.origin == target.origin }
    }
}
