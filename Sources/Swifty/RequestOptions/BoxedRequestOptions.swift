// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The options of a request, boxed with what a `Swifty` makes of them: the loads of a resource that are in flight share
/// it.
///
/// Only they keep it: a request is also in responses and errors, which may outlive the `Swifty` and its transport.
final class BoxedRequestOptions: Sendable {
    private struct Derived: Sendable {
        weak var owner: (any AnyObject & Sendable)?
        weak var value: (any AnyObject & Sendable)?
    }

    let options: RequestOptions
    /// For the owner that asked last, which for most requests is the only one.
    private let derived = Mutex<Derived?>(nil)

    init(_ options: RequestOptions) {
        self.options = options
    }

    /// What is made of the options for an owner; made again if no load has it, or another owner has asked since.
    func value<Value: AnyObject & Sendable>(
        for owner: some AnyObject & Sendable,
        make: (RequestOptions) -> Value
    ) -> Value {
        derived.withLock { derived in
            if let derived, derived.owner === owner, let value = derived.value as? Value { return value }
            let value = make(options)
            derived = Derived(owner: owner, value: value)
            return value
        }
    }
}

extension RequestDraft {
    /// The options that the modifiers of a `Swifty` have set; `nil` if they have set none.
    var boxedOptions: BoxedRequestOptions? { interfaceOptions as? BoxedRequestOptions }

    mutating func changeRequestOptions(_ change: (inout RequestOptions) -> Void) {
        var options = boxedOptions?.options ?? RequestOptions()
        change(&options)
        interfaceOptions = BoxedRequestOptions(options)
    }
}
