// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A check of a response by the caller.
package struct ResponseValidation: Sendable {
    private let check: @Sendable (NetworkResponse) throws -> Void

    init(_ check: @escaping @Sendable (NetworkResponse) throws -> Void) {
        self.check = check
    }

    /// Checks a successful response, and fails it if the closure throws.
    package func validate(_ response: NetworkResponse) {
        do {
            try check(response)
        } catch let error as SwiftyError {
            response.fail(error: error)
        } catch {
            response.fail(
                error: SwiftyError(
                    .validationFailed,
                    stage: .validation,
                    sent: .responded,
                    reason: "the response was refused: \(error)",
                    underlying: error
                )
            )
        }
    }
}

extension ModifiableResource {
    /// Adds a check of successful responses: of status, header fields and content.
    ///
    ///     server.get("balance").validate { response in
    ///         guard response.head?.headers[.eTag] != nil else { throw Unversioned() }
    ///     }
    ///
    /// It is called after `validate(status:)` and `validate(contentTypes:)`, before the response interceptors, and also
    /// for mocks; with several checks, in their order, until one throws. It sees the head of a stream, and no content.
    ///
    /// - Parameter check: The check. A ``SwiftyError`` that it throws is the error of the load; any other becomes the
    ///   underlying error of ``SwiftyError/Code/validationFailed``. It is called on a thread of the load, which it must
    ///   not block.
    @discardableResult
    public func validate(_ check: @escaping @Sendable (NetworkResponse) throws -> Void) -> Self {
        modify { $0.validations.append(ResponseValidation(check)) }
    }
}
