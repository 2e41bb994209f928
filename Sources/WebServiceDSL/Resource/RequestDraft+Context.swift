// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft {
    /// Values of any type, one for each type.
    struct ContextValues: Sendable {
        private var values: [ObjectIdentifier: any Sendable] = [:]

        subscript<Value: Sendable>(type: Value.Type) -> Value? {
            get { values[ObjectIdentifier(type)] as? Value }
            set { values[ObjectIdentifier(type)] = newValue }
        }
    }

    /// The value of a type that travels with the request; `nil` if there is none. See
    /// ``ModifiableResource/context(_:)``.
    public func context<Value: Sendable>(_ type: Value.Type = Value.self) -> Value? {
        contextValues[type]
    }
}

extension ModifiableResource {
    /// Sets a value that travels with the request: to its interceptors, constraints and observers, and to its response.
    /// Nothing of it is sent.
    ///
    ///     struct Screen: Sendable { var name: String }
    ///
    ///     server.get("items").context(Screen(name: "list"))
    ///     resource.draft.context(Screen.self)              // in an interceptor or a constraint
    ///     response.draft?.context(Screen.self)             // of a response
    ///
    /// There is one value for each type: your own types collide with no others.
    @discardableResult
    public func context<Value: Sendable>(_ value: Value) -> Self {
        modify { $0.contextValues[Value.self] = value }
    }
}
