// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// The content of the response as a value; `nil` if there is no content, or if it is no such value.
    ///
    ///     catch { print(error.decoded(ProblemDetails.self)?.detail ?? error.description) }
    ///
    /// It is the value that the request's ``FailureContent`` made, if that is of this type. Otherwise the content is
    /// decoded in the format of the request.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - format: The format; that of the request if `nil`.
    public func decoded<Value: Decodable>(
        _ type: Value.Type = Value.self,
        format: (any ContentFormat)? = nil
    ) -> Value? {
        if format == nil, let value = failure?.value as? Value { return value }
        guard let content, !content.isEmpty else { return nil }
        let format = format ?? failure?.format as? any ContentFormat ?? ServiceCoding.standard.format
        return try? NetworkResponse(head: head, data: content).decode(type, format: format)
    }
}

extension NetworkResponse {
    /// Fails the load because of its status, with the value in the content.
    package func failUnacceptable(_ head: ResponseHead) {
        var error = SwiftyError(
            .unacceptableStatus,
            stage: .validation,
            sent: .responded,
            reason: "the server answered \(head.statusText)"
        )
        if let draft {
            let value = draft.coding.failure.value(of: self)
            if let value = value as? any CustomStringConvertible {
                error.reason += ": \(draft.redactor.text(String(value.description.prefix(500))))"
            }
            // An error may be kept for long: not the content, which may be large, and nothing that refers to the load.
            var sent = request
            sent?.content = .none
            sent?.onEvent = nil
            sent?.share = nil
            error.failure = SwiftyError.Failure(value: value, format: draft.coding.format, request: sent)
        }
        fail(error: error)
    }

    /// Fails the load if the media type of its content is not one that the request accepts.
    package func checkContentType(_ accepted: [String], of head: ResponseHead) {
        guard let type = head.headers[.contentType].map({ MediaType.essence(of: $0) }),
            !accepted.contains(where: { MediaType.matches(type, $0) })
        else { return }
        let reason = "the content is \(type.isEmpty ? "of no type" : type), and not \(accepted.joined(separator: ", "))"
        fail(error: SwiftyError(.unacceptableContentType, stage: .validation, sent: .responded, reason: reason))
    }
}
