// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Reads pages, each as a value.
final class PageValueReader<Page: Sendable>: BatchReader {
    private let pages: PageReader
    private let decode: @Sendable (NetworkResponse) throws(SwiftyError) -> Page

    init(_ pages: PageReader, decode: @escaping @Sendable (NetworkResponse) throws(SwiftyError) -> Page) {
        self.pages = pages
        self.decode = decode
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Page] {
        guard let response = try await pages.next() else { return [] }
        do throws(SwiftyError) {
            return [try decode(response)]
        } catch {
            pages.end()
            throw error
        }
    }
}

/// Reads the elements of pages, one page after the other.
final class PageElementReader<Page: Sendable, Element: Sendable>: BatchReader {
    private let pages: any BatchReader<Page>
    private let elements: @Sendable (Page) -> [Element]

    init(_ pages: any BatchReader<Page>, elements: @escaping @Sendable (Page) -> [Element]) {
        self.pages = pages
        self.elements = elements
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Element] {
        while let page = try await pages.nextBatch().first {
            let batch = elements(page)
            if !batch.isEmpty { return batch }
        }
        return []
    }
}
