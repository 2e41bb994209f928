// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension RequestDraft {
    /// What a draft consists of, behind one reference: drafts are copied at every load, attempt and hook.
    struct Fields: Sendable {
        var method: HTTPRequest.Method
        var target: TargetURI?
        var template: String
        var headers = HTTPFields()
        var removedHeaders: Set<HTTPField.Name> = []
        var priority = NetworkRequest.Priority.normal
        var tags: Set<String> = []
        var name: String?
        var canHaveConstraints = true
        var timeouts = NetworkRequest.Timeouts()
        var acceptedStatuses = AcceptedStatuses.successful
        var retryPolicy: RetryPolicy?
        var redirectPolicy: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
        var mock: Mock?
        var deliveryQueue: DispatchQueue?
        var creationError: SwiftyError?
        var coding: ServiceCoding
        var query = ""
        var body: BodySource?
        var bodyContentType: String?

        init(method: HTTPRequest.Method, template: String, coding: ServiceCoding) {
            self.method = method
            self.template = template
            self.coding = coding
        }
    }

    // Safety: the fields are changed only while one draft refers to the box, by who has exclusive access to that one.
    final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}
