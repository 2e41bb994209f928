// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError.Code {
    // Disfavoured: in a `switch` over another type of error, its own values are meant by these names.
    /// Whether an error is a ``SwiftyError`` with this code: the operator of patterns, for `catch` and `switch`.
    ///
    ///     do {
    ///         try await resource.load()
    ///     } catch .timedOut {
    ///         print("try later")
    ///     }
    @_disfavoredOverload
    public static func ~= (code: SwiftyError.Code, error: any Error) -> Bool {
        (error as? SwiftyError)?.code == code
    }

    /// Not available: a code is no number.
    @available(
        *,
        unavailable,
        message: "a code is no number: compare statusCode with a status, and code with a code such as .timedOut"
    )
    public static func == (code: SwiftyError.Code, number: Int) -> Bool { false }
}
