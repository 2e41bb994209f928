// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Sets options of an easy handle and stores the first error.
struct OptionWriter {
    private let curl: UnsafeMutableRawPointer
    private(set) var result = CURLE_OK

    init(_ curl: UnsafeMutableRawPointer) {
        self.curl = curl
    }

    mutating func set(_ option: CURLoption, _ value: Int) {
        check(ccurl_set_long(curl, option, value))
    }

    /// Sets a string, which libcurl copies.
    mutating func set(_ option: CURLoption, _ value: String?) {
        guard let value else { return setPointer(option, nil) }
        check(value.withCString { ccurl_set_pointer(curl, option, $0) })
    }

    mutating func setPointer(_ option: CURLoption, _ value: UnsafeRawPointer?) {
        check(ccurl_set_pointer(curl, option, value))
    }

    mutating func check(_ code: CURLcode) {
        if result == CURLE_OK { result = code }
    }
}
