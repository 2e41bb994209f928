// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The start of every request to one server: its base URL, its network interface, and the defaults of its requests.
///
/// It is a value, from which any number of independent requests can be made. A path is joined to the base path, and its
/// query to the base query; no path can lead to another origin or out of the base path.
///
///     server.get("users/\(user)/repos")     // each value is one percent-encoded segment
///
/// The parameter `function` of its methods is filled in by the compiler: the name of the function that describes the
/// request is also the name of its mock file.
public struct BaseResource: Sendable {
    private let base: Result<BaseTarget, SwiftyError>
    private let networkInterface: any NetworkInterface
    private let coding: ServiceCoding
    private let configure: @Sendable (NetworkResource) -> Void

    /// Makes the start of requests to a base URL, outside of any ``WebService``.
    ///
    /// - Parameters:
    ///   - baseURL: An absolute `http` or `https` URL.
    ///   - networkInterface: The interface that loads the requests.
    ///   - keyStyle: The style of the names of properties, where the encoding and the coders are `nil`; see
    ///     ``WebService/keyStyle``.
    ///   - queryEncoding: The encoding of query parameters and form fields; ``QueryEncoding/standard`` if `nil`.
    ///   - format: The format of values that are sent and loaded; JSON with the two coders if `nil`.
    ///   - encoder: The encoder of JSON content; a plain one if `nil`.
    ///   - decoder: The decoder of responses; a plain one if `nil`.
    ///   - failure: The value in the content of failed responses.
    ///   - secretNames: The names of secrets, in addition to those that Swifty knows.
    ///   - configure: Called for each request that is started, before its own modifiers.
    public init(
        _ baseURL: String,
        networkInterface: any NetworkInterface,
        keyStyle: QueryEncoding.KeyStyle = .unchanged,
        queryEncoding: QueryEncoding? = nil,
        format: (any ContentFormat)? = nil,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        failure: FailureContent = .undecoded,
        secretNames: SecretNames = .standard,
        configure: @escaping @Sendable (NetworkResource) -> Void = { _ in }
    ) {
        let json = JSONFormat.implied(
            encoder ?? ServiceCoding.encoder(keys: keyStyle),
            decoder ?? ServiceCoding.decoder(keys: keyStyle)
        )
        coding = ServiceCoding(
            service: nil,
            query: queryEncoding ?? ServiceCoding.queryEncoding(keys: keyStyle),
            format: format ?? json,
            json: json,
            failure: failure,
            secrets: RequestSecrets.named(secretNames)
        )
        self.networkInterface = networkInterface
        self.configure = configure
        base = Self.parse(baseURL)
    }

    /// Makes the start of a service's requests to a base URL.
    init<Service: WebService>(_ baseURL: String, of service: Service.Type) {
        coding = ServiceCoding(
            service: service,
            query: service.queryEncoding,
            format: service.format,
            json: JSONFormat.implied(service.encoder, service.decoder),
            failure: service.failure,
            secrets: RequestSecrets.named(service.secretNames)
        )
        networkInterface = service.networkInterface
        configure = service.configure
        base = Self.parse(baseURL)
    }

    /// Makes the start of a client's requests to a base URL.
    init<Client: WebServiceClient>(_ baseURL: String, of client: Client) {
        coding = ServiceCoding(
            service: Client.self,
            query: client.queryEncoding,
            format: client.format,
            json: JSONFormat.implied(client.encoder, client.decoder),
            failure: client.failure,
            secrets: RequestSecrets.named(client.secretNames)
        )
        networkInterface = client.networkInterface
        configure = client.configure
        base = Self.parse(baseURL)
    }

    /// A GET request (RFC 9110 §9.3.1).
    public func get(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        make(.get, path, variables, function)
    }

    /// A HEAD request, whose response has no content (RFC 9110 §9.3.2).
    public func head(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        make(.head, path, variables, function)
    }

    /// An OPTIONS request (RFC 9110 §9.3.7).
    public func options(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithoutBody {
        make(.options, path, variables, function)
    }

    /// A POST request (RFC 9110 §9.3.3).
    public func post(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        make(.post, path, variables, function)
    }

    /// A PUT request (RFC 9110 §9.3.4).
    public func put(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        make(.put, path, variables, function)
    }

    /// A PATCH request (RFC 5789).
    public func patch(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        make(.patch, path, variables, function)
    }

    /// A DELETE request (RFC 9110 §9.3.5).
    public func delete(
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        make(.delete, path, variables, function)
    }

    /// A request with any method that is a token (RFC 9110 §5.6.2), such as `PROPFIND`.
    ///
    /// A GET, HEAD, OPTIONS or TRACE request with content fails at load with ``SwiftyError/Code/contentNotAllowed``,
    /// except GET and OPTIONS after ``NetworkResourceWithBody/allowsContent()``. A string that is not a token, and
    /// CONNECT, fail with ``SwiftyError/Code/invalidMethod``.
    public func request(
        _ method: String,
        _ path: RequestPath = "",
        _ variables: PathVariables = [:],
        function: StaticString = #function
    ) -> NetworkResourceWithBody {
        guard let method = HTTPRequest.Method(method), method != .connect else {
            let resource: NetworkResourceWithBody = make(.get, path, variables, function)
            return resource.modify { $0.fail(.invalidMethod, "\"\(method)\" cannot be the method of a request") }
        }
        return make(method, path, variables, function)
    }

    private func make<Resource: NetworkResource>(
        _ method: HTTPRequest.Method,
        _ path: RequestPath,
        _ variables: PathVariables,
        _ function: StaticString
    ) -> Resource {
        let draft = draft(method, path, variables, function)
        let resource = Resource(draft: draft, networkInterface: networkInterface)
        configure(resource)
        return resource
    }

    private func draft(
        _ method: HTTPRequest.Method,
        _ path: RequestPath,
        _ variables: PathVariables,
        _ function: StaticString
    ) -> RequestDraft {
        let template = PathTemplate(path)
        var draft = RequestDraft(method: method, template: template.path, coding: coding)
        draft.definition = function
        do throws(SwiftyError) {
            if !variables.isEmpty { try variables.checkTexts() }
            let base = try base.get()
            draft.base = base
            draft.target = try template.join(to: base, variables)
            if !variables.isEmpty || !template.interpolated.isEmpty || template.expansion != nil {
                let values = template.secretValues(of: variables, draft.secrets)
                draft.secrets = RequestSecrets.adding(path: values, to: draft.secrets)
            }
        } catch {
            draft.fail(error)
        }
        return draft
    }

    private static func parse(_ baseURL: String) -> Result<BaseTarget, SwiftyError> {
        do throws(TargetURI.ValidationError) {
            return .success(try BaseTarget.target(of: baseURL))
        } catch {
            return .failure(
                SwiftyError(
                    .invalidBaseURL,
                    stage: .building,
                    reason: "the server URL \"\(Redaction.redact(malformed: baseURL))\" cannot be used: \(error.reason)"
                )
            )
        }
    }
}
