// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Swifty

/// Holds what is loaded for a request to the time that its caller waits, which the field `grpc-timeout` says.
struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The time without such a field, or with a malformed one; it is also the longest.
    var longest = Duration.seconds(10)

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let field = DeadlineField.grpcTimeout
        let left = request.headers[field.name].flatMap(field.time) ?? longest
        return try await withDeadline(min(left, longest)) { try await next(request, context) }
    }
}
