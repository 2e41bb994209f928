// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The pages of a collection, loaded as they are needed; see ``TypedResource/pages(prefetch:)``.
public struct PageSequence<Page: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page

    let source: PageSource
    let decode: @Sendable (NetworkResponse) throws(SwiftyError) -> Page

    /// An iterator, which begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: PageReader(source), decode: decode)
    }

    /// Reads the pages. Its release cancels a page that is loaded ahead.
    public struct Iterator: AsyncIteratorProtocol {
        let pages: PageReader
        let decode: @Sendable (NetworkResponse) throws(SwiftyError) -> Page

        /// Waits for the next page; `nil` after the last one, and after an error.
        ///
        /// - Throws: ``SwiftyError`` of a load, of its decoding, or of finding the next page.
        public mutating func next() async throws(SwiftyError) -> Page? {
            try await pages.next().map(decoded)
        }

        /// Waits for the next page; see ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Page? {
            try await pages.next().map(decoded)
        }

        private func decoded(_ response: NetworkResponse) throws(SwiftyError) -> Page {
            do throws(SwiftyError) {
                return try decode(response)
            } catch {
                pages.end()
                throw error
            }
        }
    }
}

/// The elements of all pages of a collection; see ``TypedResource/elements(prefetch:)``.
public struct PageElements<Page: Sendable, Element: Sendable>: AsyncSequence, Sendable {
    let pages: PageSequence<Page>
    let elements: @Sendable (Page) -> [Element]

    /// An iterator, which begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), elements: elements)
    }

    /// Reads the elements. Its release cancels a page that is loaded ahead.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: PageSequence<Page>.Iterator
        let elements: @Sendable (Page) -> [Element]
        var ready: [Element].Iterator = [].makeIterator()

        /// Waits for the next element; `nil` after the last one, and after an error.
        ///
        /// - Throws: ``SwiftyError`` of a load, of its decoding, or of finding the next page.
        public mutating func next() async throws(SwiftyError) -> Element? {
            try await next(isolation: nil)
        }

        /// Waits for the next element; see ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Element? {
            while true {
                if let element = ready.next() { return element }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                ready = elements(page).makeIterator()
            }
        }
    }
}
