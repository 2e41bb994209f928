// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("Public addresses", .timeLimit(.minutes(15)))
struct PrivateNetworksTests {
    @Test(
        "exclude the first and last of each private network in IPv4",
        arguments: [
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
            "192.0.0.0", "192.0.0.255", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
            "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.0", "239.255.255.255", "240.0.0.0",
            "255.255.255.255",
        ]
    )
    func privateIPv4(_ text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
        #expect(try !#require(NetworkAddress("::ffff:\(text)")).isPublic)
        #expect(try !#require(NetworkAddress("64:ff9b::\(text)")).isPublic)
        #expect(try !#require(NetworkAddress("::\(text)")).isPublic)
    }

    @Test(
        "include the neighbours of private networks in IPv4",
        arguments: [
            "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.101.0",
            "203.0.114.0",
            "223.255.255.255",
        ]
    )
    func publicIPv4(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
        #expect(try #require(NetworkAddress("::ffff:\(text)")).isPublic)
        #expect(try #require(NetworkAddress("64:ff9b::\(text)")).isPublic)
    }

    @Test(
        "exclude private networks in IPv6",
        arguments: [
            "::", "::1", "::2", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "64:ff9b:1::1",
            "64:ff9b::7f00:1", "::ffff:0:808:808", "100::1", "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1",
            "2001:0:7f00:1::1", "2001:0:808:808:0:0:80ff:fffe", "2001:1::1", "2001:2::1", "2001:10::1",
            "2001:1ff:ffff::1",
            "2001:db8::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "2606:4700::5efe:10.0.0.1",
            "2606:4700::200:5efe:127.0.0.1",
        ]
    )
    func privateIPv6(_ text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "include all others in IPv6",
        arguments: [
            "2606:4700:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2a00:1450::1", "2002:808:808::1", "3ffe::1",
            "2001:0:808:808:0:0:f7f7:f7f7", "2606:4700::5efe:8.8.8.8", "2001:db7::1", "2001:db9::1",
        ]
    )
    func publicIPv6(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test("other texts are not addresses", arguments: ["", "1.2.3", "0177.0.0.1", "1.2.3.4.5", "::g", "[::1]", "a"])
    func none(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }
}
