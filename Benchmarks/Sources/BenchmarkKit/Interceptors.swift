// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty

/// Adds one header field to every request, as most request interceptors do.
package struct FieldInterceptor: RequestInterceptor {
    private let name: HTTPField.Name

    package init(_ name: HTTPField.Name) {
        self.name = name
    }

    package func intercept(resource: NetworkResource) -> NetworkResource {
        resource.header(name, "value")
    }
}

/// Reads the status of every response, and changes nothing.
package struct StatusInterceptor: ResponseInterceptor {
    package init() {}

    package func intercept(response: NetworkResponse) -> NetworkResponse {
        if response.statusCode == 204 { response.fail(error: SwiftyError.responseValidation()) }
        return response
    }
}
