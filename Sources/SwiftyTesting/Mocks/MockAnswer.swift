// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Swifty

/// What a mock answers: a response, a failure, or several in sequence.
///
///     .file("repos.json")
///     .status(503)
///     .sequence(.status(503), .failure(.connectionLost), .file("repos.json").delayed(by: .seconds(1)))
public struct MockAnswer: Sendable {
    /// Makes the answers to a request.
    typealias Maker = @Sendable (MockContext) async throws(SwiftyError) -> [MockResponse]

    /// The answers for a context: several are returned one after the other.
    let responses: Maker

    /// A response with a status, and no content.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> MockAnswer {
        data(Data(), type: nil, status: status, headers: headers)
    }

    /// A response with JSON, given as text.
    public static func json(
        text: String,
        status: Int = 200,
        headers: [String: String] = [:]
    ) -> MockAnswer {
        data(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }

    /// A response with a value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value. If it cannot be encoded, the load fails with ``SwiftyError/Code/mockUnavailable``.
    ///   - encoder: The encoder; a plain one with sorted keys by default.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: [String: String] = [:],
        encoder: JSONEncoder? = nil
    ) -> MockAnswer {
        let plain = JSONEncoder()
        plain.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let content = try (encoder ?? plain).encode(value)
            return data(content, type: "application/json", status: status, headers: headers)
        } catch {
            return unavailable("the JSON of a mock cannot be encoded: \(error)")
        }
    }

    /// A response with text.
    public static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> MockAnswer {
        data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A response with bytes.
    ///
    /// - Parameter type: The media type; `nil` for none.
    public static func data(
        _ data: Data,
        type: String? = "application/octet-stream",
        status: Int = 200,
        headers: [String: String] = [:]
    ) -> MockAnswer {
        if !(200...999).contains(status) { return unavailable("a mock cannot have the status \(status)") }
        if !data.isEmpty, MockResponse.hasNoContent(status) {
            return unavailable("a response with status \(status) has no content")
        }
        var fields = HTTPFields()
        for (key, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else {
                return unavailable("\"\(key)\" cannot be a header field of a mock")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        if let type, !data.isEmpty, !fields.contains(.contentType) { fields[.contentType] = type }
        let response = MockResponse(status: status, headers: fields, content: data)
        return MockAnswer { _ in [response] }
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> MockAnswer {
        self.status(status, headers: ["Location": location])
    }

    /// The answers of a mock file.
    ///
    /// - Parameter name: The name of the file with its extension: in the folder of the service, or in one of the
    ///   folders of mock files; or an absolute path.
    public static func file(_ name: String) -> MockAnswer {
        MockAnswer { context throws(SwiftyError) in try await context.responses(ofFile: name) }
    }

    /// A failure of the transfer: before the connection, or before the response, depending on the code.
    public static func failure(_ code: SwiftyError.Code, reason: String = "") -> MockAnswer {
        failure(SwiftyError(mocked: code, reason: reason))
    }

    /// A failure of the transfer.
    public static func failure(_ error: SwiftyError) -> MockAnswer {
        MockAnswer { _ in [MockResponse(.failure(error))] }
    }

    /// Several answers, one for each request. The last one answers all later requests.
    public static func sequence(_ answers: MockAnswer...) -> MockAnswer {
        MockAnswer { context throws(SwiftyError) in
            var all: [MockResponse] = []
            for answer in answers { all += try await answer.responses(context) }
            return all
        }
    }

    /// An answer that depends on the request.
    ///
    /// - Parameter respond: Makes the answer. An error other than ``SwiftyError`` becomes a failed connection.
    public static func respond(
        _ respond: @escaping @Sendable (MockedRequest) async throws -> MockAnswer
    ) -> MockAnswer {
        MockAnswer { context throws(SwiftyError) in
            let answer: MockAnswer
            do {
                answer = try await respond(context.request)
            } catch let error as SwiftyError {
                throw error
            } catch {
                let reason = "the mock threw \(error)"
                throw SwiftyError(.connectionFailed, stage: .connect, reason: reason, underlying: error)
            }
            return try await answer.responses(context)
        }
    }

    private static func unavailable(_ reason: String) -> MockAnswer {
        MockAnswer { _ throws(SwiftyError) in throw .mockUnavailable(reason) }
    }
}

extension MockAnswer {
    /// The same answer after a time, on the clock of the network interface.
    public func delayed(by latency: Duration) -> MockAnswer {
        with { $0.latency = max(.zero, latency) }
    }

    /// The same answer, with content that is cut off: the connection is lost after so many bytes.
    public func cut(after count: Int) -> MockAnswer {
        with { $0.cut = max(0, count) }
    }

    /// The same answer, with content that arrives slowly.
    public func slow(bytesPerSecond: Int) -> MockAnswer {
        with { $0.bytesPerSecond = max(1, bytesPerSecond) }
    }

    private func with(_ change: @escaping @Sendable (inout MockResponse) -> Void) -> MockAnswer {
        MockAnswer { [responses] context throws(SwiftyError) in
            var all = try await responses(context)
            for index in all.indices { change(&all[index]) }
            return all
        }
    }
}
