// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

extension ModifiableResource {
    /// The same as ``deliver(on:)``.
    @discardableResult
    public func deliverOn(thread queue: DispatchQueue) -> Self {
        deliver(on: queue)
    }

    /// The same as ``mock(file:status:headers:in:callerFile:)``, with the name and the extension apart.
    @discardableResult
    public func mock(withFile name: String, ofType fileType: String = "json", callerFile: String = #filePath) -> Self {
        mock(file: "\(name).\(fileType)", callerFile: callerFile)
    }

    /// The same as ``header(_:_:)-(String,_)``, except that `nil` changes nothing.
    @discardableResult
    public func header(key: String, value: String?) -> Self {
        value.map { header(key, $0) } ?? self
    }

    /// `true` is the same as `constraints(.all)`, and `false` as `constraints(.none)`; see ``constraints(_:)``.
    @discardableResult
    public func canHaveConstraints(_ flag: Bool) -> Self {
        constraints(flag ? .all : .none)
    }

    /// The same as ``basic(_:_:)``.
    @discardableResult
    public func authorizationHeader(username: String, password: String) -> Self {
        basic(username, password)
    }
}

extension NetworkResourceWithBody {
    /// The same as ``json(_:encoder:)``.
    @discardableResult
    public func json(encodable value: some Encodable, encoder: JSONEncoder? = nil) -> Self {
        json(value, encoder: encoder)
    }

    /// Sends a dictionary as a JSON object, its keys in sorted order.
    ///
    /// A key that is not a string fails the load with ``SwiftyError/Code/jsonEncodingFailed``.
    @discardableResult
    public func json(body: [AnyHashable: Any], options: JSONSerialization.WritingOptions = []) -> Self {
        setJSON(body as? [String: Any] ?? body, options)
    }

    /// Sends an array as a JSON array.
    @discardableResult
    public func jsonArray(array: [Any], options: JSONSerialization.WritingOptions = []) -> Self {
        setJSON(array, options)
    }
}

@available(
    *,
    unavailable,
    message: "a GET, HEAD or OPTIONS request carries no content; use post(_:), put(_:) or patch(_:)"
)
extension NetworkResourceWithoutBody {
    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func json(body: [AnyHashable: Any], options: JSONSerialization.WritingOptions = []) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func json(encodable value: some Encodable, encoder: JSONEncoder? = nil) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func jsonArray(array: [Any], options: JSONSerialization.WritingOptions = []) -> Self { self }
}

extension NetworkResource {
    /// Makes a request to a URL, outside of any ``WebService``: ``BaseResource/request(_:_:_:function:)``.
    ///
    /// A URL or a method that cannot be used fails the load.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL; its fragment is not sent.
    ///   - method: The request method.
    ///   - networkInterface: The interface that loads the request. Without one, only `add` of a `Swifty` loads it, and
    ///     other loads fail with ``SwiftyError/Code/noNetworkInterface``.
    public convenience init(url: URL, method: String, networkInterface: (any NetworkInterface)? = nil) {
        var draft = RequestDraft()
        draft.setTarget(url)
        draft.setMethod(method)
        self.init(draft, networkInterface: networkInterface)
    }

    /// Makes a request outside of any service.
    package convenience init(_ draft: RequestDraft, networkInterface: (any NetworkInterface)?) {
        let missing = RefusingInterface(code: .noNetworkInterface, reason: "the resource has no network interface")
        self.init(draft: draft, networkInterface: networkInterface ?? missing)
    }

    /// Prints method, URL, header fields and content, without secrets: ``draft``, `explain()`.
    @discardableResult
    public func printDetails() -> Self {
        print(draft.details)
        return self
    }

    /// Loads the request and calls one of two closures: with the content (`nil` if it is empty), or with the error.
    @discardableResult
    public func load(
        successBlock: @escaping @Sendable (Data?) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        load { (outcome: NetworkResponse) in
            if let error = outcome.error { failureBlock(error) } else { successBlock(outcome.data) }
        }
    }

    /// Loads the request and calls one of two closures: with the JSON object, array or scalar of the content (`nil` if
    /// it is empty), or with the error.
    @discardableResult
    public func loadJSON(
        readingOptions: JSONSerialization.ReadingOptions = [],
        successBlock: @escaping @Sendable (Any?) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        load { (outcome: NetworkResponse) in
            do throws(SwiftyError) {
                if let error = outcome.error { throw error }
                let json =
                    if let given = outcome.givenResult {
                        given.value as Any?
                    } else {
                        try outcome.json(options: readingOptions)
                    }
                successBlock(json)
            } catch {
                failureBlock(error)
            }
        }
    }

    /// Loads the request and calls one of two closures: with the decoded content, or with the error.
    @discardableResult
    public func loadJSON<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil,
        successBlock: @escaping @Sendable (Value) -> Void,
        failureBlock: @escaping @Sendable (SwiftyError) -> Void
    ) -> LoadTask {
        decode(type, decoder: decoder).load { result in
            switch result {
            case .success(let value): successBlock(value)
            case .failure(let error): failureBlock(error)
            }
        }
    }
}
