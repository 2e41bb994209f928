// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The owner of an easy handle, by which libcurl's messages and callbacks find it.
class CurlHandle {
    /// The owner of the handle that libcurl reports.
    static func owner(of curl: UnsafeMutableRawPointer) -> CurlHandle? {
        ccurl_get_private(curl).map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The pointer by which libcurl refers to this object.
    final var opaquePointer: UnsafeMutableRawPointer {
        Unmanaged<CurlHandle>.passUnretained(self).toOpaque()
    }
}
