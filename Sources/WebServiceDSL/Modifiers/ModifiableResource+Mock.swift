// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Mocked responses in place of the network. For a mocked load, a `Swifty` skips request interceptors, admission and
/// retries, and runs constraints, status validation, response interceptors and decoding as for any other.
extension ModifiableResource {
    /// Sets the content of a mock file as the response: `.mock(file: "ip.json")`.
    ///
    /// The file is searched for, in this order, in the network interface's mock directory, in the folder named by the
    /// environment variable `SWIFTY_MOCKS`, in the `Mocks` folder of the package whose source file calls this method,
    /// in the resources of `bundle`, in their `Mocks` folder, and in the resources of the main bundle. A missing, empty
    /// or unreadable file fails the load with ``SwiftyError/Code/mockUnavailable``; the request is never sent.
    ///
    /// A file whose name ends in `.http` or `.response.json` has the status and the fields of its response. For such a
    /// file, omit `status` and `headers`.
    ///
    /// - Parameters:
    ///   - file: The file's name with its extension, or an absolute path.
    ///   - status: The status of the response.
    ///   - headers: The header fields of the response; `Content-Type` follows from the file's extension unless given.
    ///   - bundle: The bundle that has the file as a resource, for example `.module`.
    ///   - callerFile: The calling source file, filled in by the compiler.
    @discardableResult
    public func mock(
        file: String,
        status: Int = 200,
        headers: [String: String] = [:],
        in bundle: Bundle? = nil,
        callerFile: String = #filePath
    ) -> Self {
        let file = MockFile(name: file, callerFile: callerFile, resourcePath: bundle?.resourcePath)
        return setMock(.file(file), status: status, headers: headers)
    }

    /// Sets bytes as the content of the response.
    @discardableResult
    public func mock(data: Data, status: Int = 200, headers: [String: String] = [:]) -> Self {
        setMock(.data(data), status: status, headers: headers)
    }

    /// Fails the load with an error, as the network might. An error of another type than ``SwiftyError`` becomes the
    /// `underlying` error of one with the code ``SwiftyError/Code/connectionFailed``.
    @discardableResult
    public func mock(error: any Error) -> Self {
        let error =
            error as? SwiftyError
            ?? SwiftyError(.connectionFailed, stage: .connect, reason: "mocked failure: \(error)", underlying: error)
        return setMock(.error(error), status: 200, headers: [:])
    }

    private func setMock(_ source: RequestDraft.Mock.Source, status: Int, headers: [String: String]) -> Self {
        var fields = HTTPFields()
        for (key, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(key) else {
                return modify {
                    $0.fail(.invalidHeader, "the mock's header name \"\(Redaction.oneLine(key))\" is not a token")
                }
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return modify { $0.mock = RequestDraft.Mock(source: source, status: status, headers: fields) }
    }
}
