// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// A certificate as an archive: its subject, its issuer and its bytes, from which the rest is read again.
extension ServerCertificate: Codable {
    private enum Key: CodingKey { case subject, issuer, der }

    /// Decodes a certificate.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            subject: try members.decode(String.self, forKey: .subject),
            issuer: try members.decode(String.self, forKey: .issuer),
            der: try members.decode(Data.self, forKey: .der)
        )
    }

    /// Encodes the subject, the issuer and the bytes.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(subject, forKey: .subject)
        try members.encode(issuer, forKey: .issuer)
        try members.encode(der, forKey: .der)
    }
}

/// Measurements as an archive. Durations are numbers of seconds; what is absent in an archive has its default value.
extension TransferMetrics: Codable {
    private enum Key: CodingKey {
        case queue, nameLookup, connect, tls, firstByte, receive, total
        case requestHeaderBytes, requestContentBytes, responseHeaderBytes, responseContentBytes
        case httpVersion, remoteAddress, remotePort, localAddress, localPort, connectionNumber
        case isConnectionReused, repetitions, isServerVerified
        case certificates, tlsParameters, proxyHost, proxyPort, proxyStatusCode, isCompletenessProven
    }

    private static var durations: [(Key, WritableKeyPath<TransferMetrics, Duration>)] {
        [
            (.queue, \.queue), (.nameLookup, \.nameLookup), (.connect, \.connect), (.tls, \.tls),
            (.firstByte, \.firstByte), (.receive, \.receive), (.total, \.total),
        ]
    }

    private static var counts: [(Key, WritableKeyPath<TransferMetrics, Int>)] {
        [
            (.requestHeaderBytes, \.requestHeaderBytes), (.requestContentBytes, \.requestContentBytes),
            (.responseHeaderBytes, \.responseHeaderBytes), (.responseContentBytes, \.responseContentBytes),
            (.remotePort, \.remotePort), (.localPort, \.localPort), (.connectionNumber, \.connectionNumber),
            (.repetitions, \.repetitions),
        ]
    }

    /// Decodes measurements.
    public init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: Key.self)
        for (key, path) in Self.durations { self[keyPath: path] = try members.duration(forKey: key) }
        for (key, path) in Self.counts { self[keyPath: path] = try members.value(forKey: key, default: 0) }
        httpVersion = try members.decodeIfPresent(ResponseHead.HTTPVersion.self, forKey: .httpVersion)
        remoteAddress = try members.value(forKey: .remoteAddress, default: "")
        localAddress = try members.value(forKey: .localAddress, default: "")
        isConnectionReused = try members.value(forKey: .isConnectionReused, default: false)
        isServerVerified = try members.decodeIfPresent(Bool.self, forKey: .isServerVerified)
        certificates = try members.value(forKey: .certificates, default: [])
        tlsParameters = try members.decodeIfPresent(TLSParameters.self, forKey: .tlsParameters)
        if let host = try members.decodeIfPresent(String.self, forKey: .proxyHost) {
            proxy = HostAndPort(host: host, port: try members.value(forKey: .proxyPort, default: 0))
        }
        proxyStatusCode = try members.decodeIfPresent(Int.self, forKey: .proxyStatusCode)
        isCompletenessProven = try members.value(forKey: .isCompletenessProven, default: false)
    }

    /// Encodes all measurements.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        for (key, path) in Self.durations { try members.encode(seconds: self[keyPath: path], forKey: key) }
        for (key, path) in Self.counts { try members.encode(self[keyPath: path], forKey: key) }
        try members.encodeIfPresent(httpVersion, forKey: .httpVersion)
        try members.encode(remoteAddress, forKey: .remoteAddress)
        try members.encode(localAddress, forKey: .localAddress)
        try members.encode(isConnectionReused, forKey: .isConnectionReused)
        try members.encodeIfPresent(isServerVerified, forKey: .isServerVerified)
        if !certificates.isEmpty { try members.encode(certificates, forKey: .certificates) }
        try members.encodeIfPresent(tlsParameters, forKey: .tlsParameters)
        try members.encodeIfPresent(proxy?.host, forKey: .proxyHost)
        try members.encodeIfPresent(proxy?.port, forKey: .proxyPort)
        try members.encodeIfPresent(proxyStatusCode, forKey: .proxyStatusCode)
        try members.encode(isCompletenessProven, forKey: .isCompletenessProven)
    }
}
