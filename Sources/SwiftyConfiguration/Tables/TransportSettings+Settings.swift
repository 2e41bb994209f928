// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension TransportSettings {
    static let entries: [SettingEntry<Self>] = [
        TLS.entries.below("tls", at: \.tls),
        proxyEntries,
        Addresses.entries.below("addresses", at: \.addresses),
        Connections.entries.below("connections", at: \.connections),
        Responses.entries.below("responses", at: \.responses),
    ]
    .flatMap(\.self)
}

extension TransportSettings.Addresses {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "overrides",
            .overrides,
            sets: \.overrides,
            means: "The addresses to use instead of a name lookup, as `host:port=address`."
        ),
        SettingEntry(
            "unixSocketPath",
            .text(named: "path"),
            setsOrRemoves: \.unixSocketPath,
            means: "The path of a Unix domain socket that all requests are sent to."
        ),
        SettingEntry(
            "localInterface",
            .text,
            setsOrRemoves: \.localInterface,
            means: "The local address, host name or interface of connections."
        ),
        SettingEntry(
            "family",
            .choice(["any": .any, "ipv4": .ipv4, "ipv6": .ipv6]),
            sets: \.family,
            means: "The family of addresses to connect to."
        ),
        SettingEntry(
            "deniesPrivateNetworks",
            .boolean,
            sets: \.deniesPrivateNetworks,
            means: "Whether connections to addresses that are not public are refused."
        ),
    ]
}

extension TransportSettings.Connections {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "version",
            .choice(["automatic": .automatic, "1.1": .http1_1, "2": .http2]),
            sets: \.version,
            means: "The version of HTTP."
        ),
        SettingEntry(
            "maximumIdleTime",
            .duration,
            sets: \.maximumIdleTime,
            means: "The longest time for which an idle connection is kept; zero reuses none."
        ),
        SettingEntry(
            "maximumAge",
            .duration,
            setsOrRemoves: \.maximumAge,
            means: "The greatest age at which a connection is still reused."
        ),
        SettingEntry(
            "maximumPerHost",
            .count(from: 1),
            setsOrRemoves: \.maximumPerHost,
            means: "The greatest number of open connections to a host."
        ),
        SettingEntry(
            "pingInterval",
            .positiveDuration,
            setsOrRemoves: \.pingInterval,
            means: "The silence after which an HTTP/2 connection with requests in flight is sent a PING."
        ),
        SettingEntry(
            "expectContinueThreshold",
            .bytes(),
            setsOrRemoves: \.expectContinueThreshold,
            means: "The size above which content waits for the server's consent."
        ),
        SettingEntry(
            "dscp",
            .count(to: 63),
            setsOrRemoves: \.dscp,
            means: "The differentiated services code point of the packets that are sent."
        ),
    ]
}

extension TransportSettings.Responses {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "strictness",
            .choice(["strict": .strict, "lenient": .lenient]),
            sets: \.strictness,
            means: "The treatment of responses that violate HTTP."
        ),
        SettingEntry("contentLimit", .bytes(), sets: \.contentLimit, means: "The largest content in memory."),
        SettingEntry(
            "headLimit",
            .bytes(),
            sets: \.headLimit,
            means: "The total size of status lines, header fields and trailers."
        ),
        SettingEntry(
            "fieldCountLimit",
            .count(to: 60_000),
            sets: \.fieldCountLimit,
            means: "The number of fields of a response."
        ),
        SettingEntry("trailerLimit", .bytes(), sets: \.trailerLimit, means: "The size of the trailers alone."),
        SettingEntry(
            "informationalLimit",
            .count(),
            sets: \.informationalLimit,
            means: "The number of informational responses before the final one."
        ),
    ]
}
#endif
