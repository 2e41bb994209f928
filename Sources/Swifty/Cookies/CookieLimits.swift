// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How much a jar takes, keeps and sends (RFC 6265bis §5.5, §5.6, §6.1).
enum CookieLimits {
    /// How many cookies one response can set.
    static let perResponse = 50
    /// How many cookies the hosts of one registrable domain can have together.
    static let perSite = 180
    /// How many cookies a jar holds.
    static let total = 3000
    /// Bytes of the `Cookie` field that a jar makes.
    static let fieldBytes = 8192
    /// Bytes of a cookie's name and value together.
    static let pairBytes = 4096
    /// Bytes of an attribute's value.
    static let attributeBytes = 1024
    /// How long a cookie can live: 400 days, in seconds.
    static let lifetime = 400.0 * 86_400
}
