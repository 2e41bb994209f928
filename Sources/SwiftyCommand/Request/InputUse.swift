// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What standard input has to do with a request.
enum InputUse: Equatable, Sendable {
    /// Nothing.
    case none
    /// It is the content, because `-` says so.
    case asked
    /// It is the content, because it is a pipe or a file, and there is no other content.
    case implied
    /// It is left alone, although it may have been meant.
    case unread
}
