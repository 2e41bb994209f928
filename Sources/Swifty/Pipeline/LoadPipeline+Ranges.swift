// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import WebServiceDSL

extension LoadPipeline {
    /// Fails a load whose response has a different range than its request, as sent, asked for.
    ///
    /// A mock may leave `Content-Range` out.
    @inline(never)
    func validateRange(_ response: NetworkResponse, _ head: ResponseHead, _ load: Load) {
        let draft = load.state.draft
        guard draft.verifiesRanges, !draft.isMocked, let request = load.state.request,
            let reason = RequestedRanges(request.headers)?.mismatch(head, mayBeShorter: true)
        else { return }
        response.fail(error: SwiftyError(.rangeMismatch, stage: .validation, sent: .responded, reason: reason))
    }
}
