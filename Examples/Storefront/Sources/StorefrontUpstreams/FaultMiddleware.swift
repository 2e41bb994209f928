// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Answers some requests with 503, and some late.
struct FaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let faults: Faults

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch faults.next() {
        case .none: break
        case .busy: throw HTTPError(.serviceUnavailable, message: "This one fails on purpose.")
        case .delay(let delay): try await Task.sleep(for: delay)
        }
        return try await next(request, context)
    }
}
