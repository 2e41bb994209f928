// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Swifty

/// How answers become mock files.
public struct MockExport: Sendable {
    /// The secrets that are kept out of the files.
    public var redaction = CassetteRedaction()
    /// Whether JSON on one line gets a line for each member, so that a diff shows each change. `true` by default;
    /// numbers, strings and the order of members are unchanged. Content with a digest in its fields, or of
    /// status 206, is never changed.
    public var indentsJSON = true
    /// Whether files that exist are replaced. `false` by default: the export fails.
    public var overwrites = false

    /// Makes the default options.
    public init() {}
}

extension Cassette {
    /// Writes the answers of this cassette as mock files, which `withMocks`, `MockTransport` and `swifty serve` read.
    ///
    ///     let files = try Cassette(contentsOf: "Mocks/first-look.har").exportMocks(to: "Mocks/GitHub")
    ///
    /// A file is named after its request's template and method, such as `users/{user}/repos.GET.http`. Without a
    /// template, as after a redirect or in a cassette of another program, the path of the URL is used instead. Several
    /// answers to one method and template become a sequence in one file, in the recorded order; if they belong to
    /// different requests of the service, each request gets a file with its name. If there is more than one server,
    /// each has a separate folder. Answers with binary content are written as JSON with Base64 (`.response.json`).
    ///
    /// Fields of the connection and of the framing are left out, and secrets are replaced. Each file is written whole
    /// or not at all, with the permissions of any other file; if one fails, those that this call has made are removed.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is made if it does not exist.
    ///   - options: See ``MockExport``.
    /// - Returns: The paths of the files within the folder, sorted.
    /// - Throws: ``SwiftyError/Code/fileExists`` if a file exists, or another one would answer the same request; then
    ///   nothing is written. ``SwiftyError/Code/fileUnwritable`` or ``SwiftyError/Code/diskFull``;
    ///   ``SwiftyError/Code/mockUnavailable`` for an entry that is not an answer.
    @discardableResult
    public func exportMocks(
        to folder: String,
        _ options: MockExport = MockExport()
    ) throws(SwiftyError) -> [String] {
        var files = MockFileSet(folder: folder, overwrites: options.overwrites)
        for (name, entries) in ExportedNames(EntryRedactor.redact(entries, options.redaction)).groups {
            var answers: [MockResponse] = []
            for entry in entries { answers.append(try entry.mockResponse(path: path)) }
            let text = MockText(answers, indentsJSON: options.indentsJSON)
            let file = name + text.suffix
            files.add(file, try text.bytes(forFileNamed: file))
        }
        return try files.write()
    }
}

extension NetworkResponse {
    /// Writes this response as a mock file.
    ///
    ///     let response = try await GitHub.repository("apple", "swift").resource.load()
    ///     try response.exportMock(to: "Mocks/GitHub/repository.http")
    ///
    /// As for ``Cassette/exportMocks(to:_:)``, fields of the connection are left out and secrets are replaced,
    /// including those of the request that occur in the response.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which ends in `.http` or `.response.json`. Its folder is made if it does not
    ///     exist.
    ///   - options: See ``MockExport``.
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if the load failed without a response,
    ///   ``SwiftyError/Code/fileExists``, ``SwiftyError/Code/fileUnwritable``, ``SwiftyError/Code/diskFull``.
    public func exportMock(to path: String, _ options: MockExport = MockExport()) throws(SwiftyError) {
        guard let entry = HAREntry(self) else {
            throw .mockUnavailable("the mock file \(path) is not written: the load has no response")
        }
        var redactor = EntryRedactor(options.redaction, request?.secrets)
        let answer = try redactor.redact(entry).mockResponse(path: path)
        let text = MockText([answer], indentsJSON: options.indentsJSON)
        let url = URL(fileURLWithPath: path)
        var files = MockFileSet(folder: url.deletingLastPathComponent().path, overwrites: options.overwrites)
        files.add(url.lastPathComponent, try text.bytes(forFileNamed: path))
        try files.write()
    }
}

extension HAREntry {
    /// The exchange of a load; `nil` without a response.
    fileprivate init?(_ response: NetworkResponse) {
        guard let head = response.head else { return nil }
        // A mocked load has no request, and its content is not decoded.
        let request = response.request
        let isDecoded = request.map { Swifty.ContentDecoding().mayDecode(head, to: $0) } ?? false
        let content = response.data ?? Data()
        let transfer = response.metrics.transfer ?? TransferMetrics()
        self.init(
            request.map { HARRequest($0) } ?? HARRequest(method: "GET", url: "", bodySize: 0),
            start: Date(),
            TransportResponse(head: head, content: content, metrics: transfer),
            content: isDecoded ? content : nil
        )
    }
}
