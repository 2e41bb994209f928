// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Compresses the content with gzip while it is sent, whatever its source, if it has at least `threshold` bytes and
    /// is not of a type that is compressed already; see ``RequestCompression``.
    ///
    /// - Parameters:
    ///   - threshold: The smallest size of compressed content, in bytes. Content of unknown size is compressed.
    ///   - level: The effort, from 1 (fast) to 9 (small).
    @discardableResult
    public func compressed(threshold: Int = 1024, level: Int = 6) -> Self {
        compressed(RequestCompression(threshold: threshold, level: level))
    }

    /// Sets the compression of the content, in place of the network interface's; ``RequestCompression/none`` for none.
    @discardableResult
    public func compressed(_ policy: RequestCompression) -> Self {
        modify { $0.requestCompression = policy }
    }
}
