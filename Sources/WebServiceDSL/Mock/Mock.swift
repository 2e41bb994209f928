// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension RequestDraft {
    /// What answers a load in place of the network.
    public struct Mock: Sendable {
        enum Source: Sendable {
            case file(MockFile)
            case data(Data)
            case error(SwiftyError)
        }

        let source: Source
        let status: Int
        let headers: HTTPFields

        /// The response that the mock stands for.
        ///
        /// - Parameter directory: the folder in which the network interface wants mock files to be looked for first.
        /// - Throws: the mocked error, or ``SwiftyError/Code/mockUnavailable`` with the places that were looked at.
        public func response(directory: String?) async throws(SwiftyError) -> (head: ResponseHead, data: Data) {
            switch source {
            case .error(let error): throw error
            case .data(let data): return (head(contentType: nil), data)
            case .file(let file):
                let data = try await file.read(directory: directory)
                return (head(contentType: MediaType.forFile(named: file.name)), data)
            }
        }

        private func head(contentType: String?) -> ResponseHead {
            var headers = self.headers
            if let contentType, !headers.contains(.contentType) { headers[.contentType] = contentType }
            return ResponseHead(statusCode: status, headers: headers)
        }
    }
}
