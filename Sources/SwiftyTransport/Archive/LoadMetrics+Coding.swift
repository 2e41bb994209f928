// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Measurements as an archive. Durations are numbers of seconds; what is absent in an archive has its default value.
extension LoadMetrics: Codable {
    private enum Key: CodingKey {
        case total, constraintTime, admissionTime, constraintWaits, attempts, decodedContentBytes, hedges, source
        case networkQuality
    }

    /// Decodes measurements.
    public init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: Key.self)
        total = try members.duration(forKey: .total)
        constraintTime = try members.duration(forKey: .constraintTime)
        admissionTime = try members.duration(forKey: .admissionTime)
        constraintWaits = try members.value(forKey: .constraintWaits, default: [])
        attempts = try members.value(forKey: .attempts, default: [])
        decodedContentBytes = try members.value(forKey: .decodedContentBytes, default: 0)
        hedges = try members.value(forKey: .hedges, default: 0)
        source = try members.value(forKey: .source, default: .network)
        let quality = try members.value(forKey: .networkQuality, default: "")
        networkQuality = NetworkQuality.allCases.first { "\($0)" == quality } ?? .unknown
    }

    /// Encodes all measurements.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(seconds: total, forKey: .total)
        try members.encode(seconds: constraintTime, forKey: .constraintTime)
        try members.encode(seconds: admissionTime, forKey: .admissionTime)
        try members.encode(constraintWaits, forKey: .constraintWaits)
        try members.encode(attempts, forKey: .attempts)
        try members.encode(decodedContentBytes, forKey: .decodedContentBytes)
        try members.encode(hedges, forKey: .hedges)
        try members.encode(source, forKey: .source)
        try members.encode("\(networkQuality)", forKey: .networkQuality)
    }
}

extension LoadMetrics.Attempt: Codable {
    private enum Key: CodingKey { case statusCode, errorCode, sent, metrics, wait, redirects, challenges }

    /// Decodes an attempt.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            statusCode: try members.decodeIfPresent(Int.self, forKey: .statusCode),
            errorCode: try members.decodeIfPresent(SwiftyError.Code.self, forKey: .errorCode),
            sent: try members.decode(SwiftyError.SentState.self, forKey: .sent),
            metrics: try members.value(forKey: .metrics, default: TransferMetrics()),
            wait: try members.duration(forKey: .wait),
            redirects: try members.value(forKey: .redirects, default: []),
            challenges: try members.value(forKey: .challenges, default: 0)
        )
    }

    /// Encodes an attempt.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(statusCode, forKey: .statusCode)
        try members.encodeIfPresent(errorCode, forKey: .errorCode)
        try members.encode(sent, forKey: .sent)
        try members.encode(metrics, forKey: .metrics)
        try members.encode(seconds: wait, forKey: .wait)
        try members.encode(redirects, forKey: .redirects)
        try members.encode(challenges, forKey: .challenges)
    }
}

extension LoadMetrics.ConstraintWait: Codable {
    private enum Key: CodingKey { case name, duration }

    /// Decodes a wait.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let name = try members.decode(String.self, forKey: .name)
        self.init(name: name, duration: try members.duration(forKey: .duration))
    }

    /// Encodes a wait.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(name, forKey: .name)
        try members.encode(seconds: duration, forKey: .duration)
    }
}
