// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Requests whose path is a string that the program has, and not a literal: `server.get(path, ["user": user])`.
///
/// Such a path is a template, trusted as a literal is. The values of its variables belong in the dictionary: a value
/// that becomes part of the string itself can lead to another path or query.
///
/// The functions are generic because the compiler would prefer one with a `String` to that with a literal path, in
/// spite of the attribute, as soon as the call has another argument.
extension BaseResource {
    /// A GET request, as that with a literal path.
    @_disfavoredOverload
    public func get<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        get(RequestPath(String(path)), variables, function: function)
    }

    /// A HEAD request, as that with a literal path.
    @_disfavoredOverload
    public func head<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        head(RequestPath(String(path)), variables, function: function)
    }

    /// An OPTIONS request, as that with a literal path.
    @_disfavoredOverload
    public func options<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        options(RequestPath(String(path)), variables, function: function)
    }

    /// A POST request, as that with a literal path.
    @_disfavoredOverload
    public func post<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        post(RequestPath(String(path)), variables, function: function)
    }

    /// A PUT request, as that with a literal path.
    @_disfavoredOverload
    public func put<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        put(RequestPath(String(path)), variables, function: function)
    }

    /// A PATCH request, as that with a literal path.
    @_disfavoredOverload
    public func patch<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        patch(RequestPath(String(path)), variables, function: function)
    }

    /// A DELETE request, as that with a literal path.
    @_disfavoredOverload
    public func delete<Path: StringProtocol>(
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        delete(RequestPath(String(path)), variables, function: function)
    }

    /// A request with any method, as that with a literal path.
    @_disfavoredOverload
    public func request<Path: StringProtocol>(
        _ method: String,
        _ path: Path,
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        request(method, RequestPath(String(path)), variables, function: function)
    }
}
