// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// The responses of all pages, loaded as they are needed.
    ///
    ///     for try await page in GitHub.repositories(of: "apple").pages() { print(page.head?["X-Total"] ?? "") }
    ///
    /// The request's ``Pagination`` finds each next page; without one the first page fails with
    /// ``SwiftyError/Code/invalidSettings``. The sequence describes the request as it was when the sequence was made.
    /// Each iterator begins with the first page. Leaving the loop and cancelling the task end what is loading.
    ///
    /// - Parameter prefetch: Whether the next page is loaded while this one is used, one page ahead.
    /// - Returns: A sequence, whose errors are those of the loads and, for the next page,
    ///   ``SwiftyError/Code/nextPageRefused``, ``SwiftyError/Code/pageLoop``, ``SwiftyError/Code/tooManyPages`` and
    ///   ``SwiftyError/Code/decodingFailed``. All pages before an error are delivered.
    public func pages(prefetch: Bool = false) -> NetworkSequence<NetworkResponse> {
        PageSource(resource: copy(), preparation: nil, prefetches: prefetch).pages { response throws(SwiftyError) in
            response
        }
    }
}

extension TypedResource {
    /// The decoded values of all pages, loaded as they are needed; see ``NetworkResource/pages(prefetch:)``.
    ///
    /// - Parameter prefetch: Whether the next page is loaded while this one is used, one page ahead.
    public func pages(prefetch: Bool = false) -> NetworkSequence<Value> {
        let reader = self.reader
        let pages = PageSource(resource: resource.copy(), preparation: reader.preparation, prefetches: prefetch)
        return pages.pages { response throws(SwiftyError) in try reader.value(of: response) }
    }

    /// The elements of all pages, in order.
    ///
    ///     for try await event in Log.pages().elements(of: \.events) { … }
    ///
    /// - Parameters:
    ///   - items: The elements of a page.
    ///   - prefetch: Whether the next page is loaded while the elements of this one are used, one page ahead.
    public func elements<Items: Sequence & SendableMetatype>(
        of items: @escaping @Sendable (Value) -> Items,
        prefetch: Bool = false
    ) -> NetworkSequence<Items.Element> where Items.Element: Sendable {
        pages(prefetch: prefetch).elements { Array(items($0)) }
    }
}

extension TypedResource where Value: Sequence, Value.Element: Sendable {
    /// The elements of all pages, in order; see ``NetworkResource/pages(prefetch:)``.
    ///
    ///     for try await repository in GitHub.repositories(of: "apple").elements() { … }
    ///
    /// - Parameter prefetch: Whether the next page is loaded while the elements of this one are used, one page ahead.
    public func elements(prefetch: Bool = false) -> NetworkSequence<Value.Element> {
        pages(prefetch: prefetch).elements { Array($0) }
    }
}

extension PageSource {
    fileprivate func pages<Page: Sendable>(
        _ decode: @escaping @Sendable (NetworkResponse) throws(SwiftyError) -> Page
    ) -> NetworkSequence<Page> {
        NetworkSequence { PageValueReader(PageReader(self), decode: decode) }
    }
}

extension NetworkSequence {
    fileprivate func elements<Item: Sendable>(_ items: @escaping @Sendable (Element) -> [Item]) -> NetworkSequence<Item>
    {
        NetworkSequence<Item> { PageElementReader(makeReader(), elements: items) }
    }
}
