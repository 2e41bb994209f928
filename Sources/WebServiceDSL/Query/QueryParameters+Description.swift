// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension QueryParameters: CustomStringConvertible, CustomReflectable {
    /// The parameters as a query, without secrets.
    public var description: String {
        Redactor().parameters(FormContent.text(map { (name: $0.name, value: $0.value) }))
    }

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
