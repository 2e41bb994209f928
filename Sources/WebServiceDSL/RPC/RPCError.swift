// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The error with which a server answers a remote procedure call (JSON-RPC 2.0 §5.1).
///
/// It is the `underlying` error of a ``SwiftyError`` with the code ``SwiftyError/Code/callFailed``, and its
/// ``SwiftyError/rpcError``.
public struct RPCError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error: -32768 to -32000 are reserved by JSON-RPC, all others are the API's own.
    public var code: Int
    /// A short description of the error.
    public var message: String
    /// More about the error, in a form of the API's own; `nil` without any.
    public var data: JSONFragment?

    /// Makes an error.
    public init(code: Int, message: String, data: JSONFragment? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The code and the message.
    public var description: String { "\(code) \(message)" }

    /// The content is not JSON.
    public static let parseError = -32_700
    /// The JSON is no request.
    public static let invalidRequest = -32_600
    /// There is no such method.
    public static let methodNotFound = -32_601
    /// The parameters are not those of the method.
    public static let invalidParams = -32_602
    /// The server has failed.
    public static let internalError = -32_603
}

extension RPCError: Codable {}

extension SwiftyError {
    /// The error with which a server answered a remote procedure call; `nil` for any other failure.
    public var rpcError: RPCError? { underlying as? RPCError }
}
