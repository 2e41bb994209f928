// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension RequestDraft {
    /// A response or an error in place of the network's.
    public struct Mock: Sendable {
        enum Source: Sendable {
            case file(MockFile)
            case data(Data)
            case error(SwiftyError)
        }

        let source: Source
        let status: Int
        let headers: HTTPFields

        /// Makes the mocked response. A mock file is read by each call.
        ///
        /// A latency in the file is ignored; a cut fails with ``SwiftyError/Code/connectionLost``.
        ///
        /// - Parameter directory: The network interface's folder of mock files, which is searched first.
        /// - Throws: The mocked error, or ``SwiftyError/Code/mockUnavailable`` with the paths that were tried, or with
        ///   the line of the fault.
        public func response(directory: String?) async throws(SwiftyError) -> (head: ResponseHead, data: Data) {
            var answer = try await answer(directory: directory, variables: .none)
            (answer.latency, answer.bytesPerSecond) = (.zero, nil)
            let timeouts = NetworkRequest.Timeouts()
            let exchange = MockExchange(answer, timeouts: timeouts, isHead: false, clock: ContinuousClock())
            let response = try await exchange.begin(LoadCancellation()).collect()
            return (response.head, response.content)
        }

        /// The one answer of the mock.
        package func answer(
            directory: String?,
            variables: MockVariables
        ) async throws(SwiftyError) -> MockResponse {
            switch source {
            case .error(let error): return MockResponse(.failure(error))
            case .data(let data): return MockResponse(status: status, headers: headers, content: data)
            case .file(let file):
                let answers = try await file.responses(directory: directory, variables: variables)
                return try single(of: answers, in: file.name)
            }
        }

        private func single(of answers: [MockResponse], in file: String) throws(SwiftyError) -> MockResponse {
            guard answers.count == 1 else {
                throw .mockUnavailable(
                    "the mock file \"\(file)\" has \(answers.count) answers; mock(file:) takes one, "
                        + "withMocks (SwiftyTesting) plays a sequence"
                )
            }
            guard case .response(let head, let content) = answers[0].outcome else { return answers[0] }
            if MockFormat(ofFileNamed: file).hasHead {
                if status == 200, headers.isEmpty { return answers[0] }
                throw .mockUnavailable(
                    "the mock file \"\(file)\" has a status and fields of its own; omit those of mock(file:)"
                )
            }
            var all = headers
            if !all.contains(.contentType) { all[.contentType] = head.headers[.contentType] }
            return MockResponse(status: status, headers: all, content: content)
        }
    }
}
