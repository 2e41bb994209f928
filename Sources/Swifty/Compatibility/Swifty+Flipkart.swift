// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

// Members for call sites of Flipkart's Swifty, so that they compile unchanged; see Docs/Migration.md.

extension Swifty {
    /// Makes a network interface over the default transport from hooks, as Flipkart's Swifty does.
    ///
    /// - Parameters:
    ///   - constraints: The constraints; see ``Configuration/use(_:)``.
    ///   - requestInterceptors: The request interceptors, in their order.
    ///   - responseInterceptors: The response interceptors, in their order.
    @_disfavoredOverload
    public convenience init(
        constraints: [Constraint] = [],
        requestInterceptors: [any RequestInterceptor] = [],
        responseInterceptors: [any ResponseInterceptor] = []
    ) {
        self.init {
            $0.use(constraints)
            $0.use(requestInterceptors)
            $0.use(responseInterceptors)
        }
    }

    /// Not available: the arguments are hooks of Flipkart's Swifty, and other hooks have one place for all kinds.
    @available(*, unavailable, message: "register hooks of every kind with use(_:): Swifty { $0.use(SignIn()) }")
    @_disfavoredOverload
    public convenience init(
        constraints: [any Swifty.Hook],
        requestInterceptors: [any Swifty.Hook] = [],
        responseInterceptors: [any Swifty.Hook] = []
    ) {
        self.init()
    }

    /// Loads a resource through this instance, whatever its own network interface is.
    ///
    /// Exactly one of the closures is called: `failureBlock` for every outcome with an error. Unless the resource names
    /// a queue with `deliver(on:)`, the closures of an instance are called one after another.
    @discardableResult
    public func add(
        _ resource: NetworkResource,
        successBlock: @escaping @Sendable (NetworkResponse) -> Void,
        failureBlock: @escaping @Sendable (NetworkResponse) -> Void
    ) -> LoadTask {
        let resource = NetworkResource.make(of: resource.draft, networkInterface: self)
        if resource.draft.deliveryQueue == nil { resource.deliver(on: serialDeliveryQueue) }
        return resource.load { (outcome: NetworkResponse) in
            outcome.error == nil ? successBlock(outcome) : failureBlock(outcome)
        }
    }
}

extension ResponseInterceptor where Self: ResponseParser {
    /// Parses each response of a load, as a response interceptor in the place where it is registered.
    public func intercept(response: NetworkResponse) -> NetworkResponse {
        response.parse(with: self)
        return response
    }
}
