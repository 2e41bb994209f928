// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// Why a socket was not opened.
enum SocketRefusal: Equatable {
    /// The settings do not allow the address.
    case denied
    /// The system did not give one, with this error number.
    case failed(Int32)
}

/// libcurl wants a socket for an address. This is the one place in which every connection's real address passes.
let socketIsWanted: ccurl_open_socket_function = { context, _, address in
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard handle.allows(address) else {
        handle.socketRefusal = .denied
        return CURL_SOCKET_BAD
    }
    let socket = ccurl_open_socket(address)
    guard socket >= 0 else {
        if handle.socketRefusal == nil { handle.socketRefusal = .failed(-socket) }
        return CURL_SOCKET_BAD
    }
    handle.loop.poll.table.opened(socket)
    if !handle.loop.certificates.isEmpty { handle.loop.certificates[socket] = nil }
    return socket
}

extension EasyHandle {
    /// What is not an internet address, such as a socket of the file system, is not public.
    fileprivate func allows(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard loop.configuration.settings.addresses.deniesPrivateNetworks else { return true }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
            guard let base = bytes.baseAddress else { return false }
            let count = Int(ccurl_address_bytes(address, base))
            return NetworkAddress(UnsafeBufferPointer(start: base, count: count))?.isPublic ?? false
        }
    }
}
