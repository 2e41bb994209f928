// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension NetworkRequest {
    /// The values of fields and parameters whose names mark secrets, and the tokens in them: what a server may repeat
    /// when it refuses them.
    var secretValues: Set<String> {
        let redactor = Redactor(secrets)
        let pairs = FormContent.items(target.query ?? "")
        let named = headers.map { ($0.name.rawName, $0.value) } + pairs.map { ($0.name, $0.value) }
        let values = named.filter { redactor.isSecret($0.0) }.flatMap { _, value in
            [value] + value.split(separator: " ").map(String.init)
        }
        return Set(values.filter { $0.utf8.count >= Redactor.minimumLength })
    }
}
