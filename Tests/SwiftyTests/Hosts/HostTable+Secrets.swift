// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Swifty

extension HostTable {
    static let ofSecrets = [
        HostTable(name: "credentials", counts: credentials),
        HostTable(name: "nonces of digest authentication", counts: nonces),
        HostTable(name: "credentials that were refused", counts: refusals),
        HostTable(name: "origins of API keys and tokens", counts: origins),
        HostTable(name: "cookies", counts: cookies),
        HostTable(name: "cookies of a file", counts: savedCookies),
    ]

    @Sendable private static func credentials(_ rule: String, _ host: String) throws -> Bool {
        let store = CredentialStore()
        try store.set(.bearer("canary"), for: "https://\(rule)")
        return store.credential(for: try target(host).origin, realm: "any") != nil
    }

    @Sendable private static func nonces(_ rule: String, _ host: String) throws -> Bool {
        let (sessions, credential) = (DigestSessions(), CredentialStore.Credential.digest(user: "u", password: "p"))
        let challenge = Challenge.parse(["Digest realm=r, nonce=n, qop=auth"]).first.flatMap { DigestChallenge($0) }
        _ = sessions.answer(try #require(challenge), with: credential, to: try request(rule))
        return try sessions.answerPreemptively(with: credential, to: request(host)) != nil
    }

    @Sendable private static func refusals(_ rule: String, _ host: String) throws -> Bool {
        let credential = CredentialStore.Credential.bearer("canary")
        let uses = try [rule, host].map { host in
            ChallengePolicy.CredentialUse(origin: try target(host).origin, realm: "r", credential: credential)
        }
        var policy = ChallengePolicy()
        _ = policy.recordRefusal(by: uses[0].origin, of: uses[0], sharesNonce: false, isStale: false)
        return !policy.allows(uses[1])
    }

    @Sendable private static func origins(_ rule: String, _ host: String) throws -> Bool {
        let origins = AllowedOrigins(of: ["https://\(rule)/v1"])
        if let error = origins.validationError { throw error }
        return origins.contains(try target(host))
    }

    @Sendable private static func cookies(_ rule: String, _ host: String) throws -> Bool {
        let jar = CookieJar(publicSuffixes: .sample)
        try jar.receive(["k=v"], from: "https://\(rule)/")
        return try jar.sent(to: "https://\(host)/") == "k=v"
    }

    @Sendable private static func savedCookies(_ rule: String, _ host: String) throws -> Bool {
        let folder = try TemporaryFolder()
        let isIPv6 = rule.hasPrefix("[") && rule.contains(":")
        try folder.write("\(isIPv6 ? String(rule.dropFirst().dropLast()) : rule)\tFALSE\t/\tFALSE\t0\tk\tv\n")
        return try CookieJar(file: folder.cookieFile, publicSuffixes: .sample).sent(to: "https://\(host)/") == "k=v"
    }
}
