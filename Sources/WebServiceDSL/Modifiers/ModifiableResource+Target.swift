// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Sets the method in place of that of the request, for interceptors: `.method("POST")`.
    ///
    /// Content that the new method does not allow fails the load with ``SwiftyError/Code/contentNotAllowed``. A string
    /// that is not a token (RFC 9110 §5.6.2), and CONNECT, fail it with ``SwiftyError/Code/invalidMethod``.
    @discardableResult
    public func method(_ method: String) -> Self {
        modify { draft in
            guard let method = HTTPRequest.Method(method), method != .connect else {
                return draft.fail(.invalidMethod, "\"\(method)\" cannot be the method of a request")
            }
            draft.method = method
        }
    }

    /// Sets the URL in place of that of the request and all its parameters, for interceptors.
    ///
    ///     struct Mirror: RequestInterceptor {
    ///         func intercept(resource: NetworkResource) -> NetworkResource {
    ///             guard let path = resource.draft.target?.path else { return resource }
    ///             return resource.url("https://mirror.example.com\(path)")
    ///         }
    ///     }
    ///
    /// The header fields and the content stay as they are, also for another origin. Errors and measurements still have
    /// the path as the author of the API wrote it, which is the same for all requests of its kind.
    ///
    /// - Parameter url: An absolute `http` or `https` URL. Its fragment is not sent. Any other string fails the load
    ///   with ``SwiftyError/Code/invalidURL``.
    @discardableResult
    public func url(_ url: String) -> Self {
        modify { draft in
            let (template, hasTemplate) = (draft.template, draft.hasTemplate)
            draft.setTarget(url)
            (draft.template, draft.hasTemplate) = (template, hasTemplate)
        }
    }
}
