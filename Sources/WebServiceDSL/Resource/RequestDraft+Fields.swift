// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension RequestDraft {
    /// The parts of a draft, boxed because each load, attempt and hook copies the draft.
    struct Fields: Sendable {
        var method: HTTPRequest.Method
        var target: TargetURI?
        var template: String
        var hasTemplate = true
        var headers = HTTPFields()
        var removedHeaders: Set<HTTPField.Name> = []
        var isWithoutSecrets = false
        var isContentAllowed = false
        var priority = NetworkRequest.Priority.normal
        var tags: Set<String> = []
        var name: String?
        var contextValues = ContextValues()
        var constraints = ConstraintSelection.all
        var timeouts = NetworkRequest.Timeouts()
        var isUnlimited = false
        var acceptedStatuses = AcceptedStatuses.successful
        var acceptedContentTypes: [String] = []
        var validations: [ResponseValidation] = []
        var verifiesRanges = true
        var needsWholeContent = false
        var retryPolicy: RetryPolicy?
        var redirectPolicy: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
        var requestCompression: RequestCompression?
        var transfer: TransferPolicy?
        var pagination: Pagination?
        /// Set by the modifiers of a network interface, and known to it alone.
        var interfaceOptions: (any AnyObject & Sendable)?
        var mock: Mock?
        var deliveryQueue: DispatchQueue?
        var creationError: SwiftyError?
        var base: BaseTarget?
        var definition: StaticString?
        var scope: NetworkScope?
        var coding: ServiceCoding
        var preparation: ResponsePreparation?
        var query = ""
        var content: DraftContent?
        var contentType: String?
        /// `nil` for those of ``coding``.
        var secrets: RequestSecrets?
    }

    // Safety: the fields change only while a single draft refers to the box, by exclusive access to that draft.
    final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}
