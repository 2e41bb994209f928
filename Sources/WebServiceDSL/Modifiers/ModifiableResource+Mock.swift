// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Answers a load without the network: request interceptors are skipped; constraints, status validation, response
/// interceptors and decoding happen as always.
extension ModifiableResource {
    /// Answers with the content of a mock file: `.mock(file: "ip.json")`.
    ///
    /// The file is looked for, in this order, in the network interface's mock directory, in the folder named by the
    /// environment variable `SWIFTY_MOCKS`, in the `Mocks` folder of the package whose source file calls this method, and
    /// in the bundle's resources. A missing or empty file fails the load with ``SwiftyError/Code/mockUnavailable``; it
    /// never goes to the network.
    ///
    /// - Parameters:
    ///   - file: the file's name with its extension, or an absolute path.
    ///   - status: the status of the answer.
    ///   - headers: the header fields of the answer; `Content-Type` follows from the file's extension unless given.
    ///   - bundle: where the file is a resource, for example `.module`.
    @discardableResult
    public func mock(
        file: String,
        status: Int = 200,
        headers: [String: String] = [:],
        in bundle: Bundle? = nil,
        callerFile: String = #filePath
    ) -> Self {
        let file = MockFile(name: file, callerFile: callerFile, resourcePath: bundle?.resourcePath)
        return setMock(.file(file), status, headers)
    }

    /// Answers with bytes.
    @discardableResult
    public func mock(data: Data, status: Int = 200, headers: [String: String] = [:]) -> Self {
        setMock(.data(data), status, headers)
    }

    /// Fails the load with an error, as the network might; the error names this request unless it names one.
    @discardableResult
    public func mock(error: any Error) -> Self {
        let error =
            error as? SwiftyError
            ?? SwiftyError(.connectionFailed, stage: .connect, reason: "mocked failure: \(error)", underlying: error)
        return setMock(.error(error), 200, [:])
    }

    private func setMock(_ source: RequestDraft.Mock.Source, _ status: Int, _ headers: [String: String]) -> Self {
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
