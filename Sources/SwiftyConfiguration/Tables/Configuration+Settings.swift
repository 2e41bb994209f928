// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension Swifty.Configuration {
    static let entries: [SettingEntry<Self>] =
        policies + sharing + content + requests + instance

    private static let policies: [SettingEntry<Self>] = [
        NetworkRequest.Timeouts.entries.below("timeouts", at: \.timeouts),
        RetryPolicy.entries.below("retry", at: \.retry),
        RetryPolicy.Budget.entries.below("retryBudget", at: \.retryBudget),
        HedgingPolicy.entries.below("hedging", at: \.hedgingIfAny, startingWith: HedgingPolicy(after: .zero)),
        RedirectPolicy.entries.below("redirects", at: \.redirects),
        AdmissionPolicy.entries.below("admission", at: \.admission),
        CachePolicy.entries.below("cache", at: \.cache),
        LoggingPolicy.entries.below("logging", at: \.logging),
    ]
    .flatMap(\.self)

    /// The policy, or `nil` if no request is hedged.
    fileprivate var hedgingIfAny: HedgingPolicy? {
        get { hedging == .none ? nil : hedging }
        set { hedging = newValue ?? .none }
    }

    private static let sharing: [SettingEntry<Self>] = [
        SettingEntry(
            "coalesces",
            .boolean,
            sets: \.coalesces,
            means: "Whether equal GET and HEAD requests share one transfer."
        ),
        SettingEntry(
            "coalescing.ignoredFields",
            .fieldNames,
            sets: \.coalescing.ignoredFields,
            means: "The header fields in which requests that share a transfer may differ."
        ),
    ]

    private static let content: [SettingEntry<Self>] = [
        Swifty.ContentDecoding.entries.below("contentDecoding", at: \.contentDecoding),
        RequestCompression.entries.below(
            "requestCompression",
            at: \.requestCompression,
            startingWith: RequestCompression()
        ),
    ]
    .flatMap(\.self)

    private static let requests: [SettingEntry<Self>] = [
        SettingEntry(
            "defaultHeaders",
            .fields,
            sets: \.defaultHeaders,
            isSecret: true,
            means: "Header fields that requests get unless they have one of the same name."
        ),
        SettingEntry(
            "reroutes",
            .reroutes,
            sets: \.reroutes,
            means: "Other servers to connect to, for tests and staging."
        ),
        SettingEntry(
            "sendsPriority",
            .boolean,
            sets: \.sendsPriority,
            means: "Whether requests tell the server their priority."
        ),
        SettingEntry(
            "deadlineField",
            SettingKind.fieldName.orNone,
            sets: "deadlineField",
            means: "The field with the time that is left: `grpc-timeout`, or the name of a field with milliseconds."
        ) {
            $0.deadlineField?.name.rawName ?? "none"
        } set: { configuration, name in
            let grpc = DeadlineField.grpcTimeout
            configuration.deadlineField = name.map { $0 == grpc.name ? grpc : .milliseconds($0) }
        },
        SettingEntry(
            "minimumTimeLeft",
            .duration,
            sets: \.minimumTimeLeft,
            means: "The time that must be left before the caller's deadline for a request to be sent."
        ),
    ]

    private static let instance: [SettingEntry<Self>] = [
        SettingEntry("name", .text, setsOrRemoves: \.name, means: "The name of the instance in its log lines."),
        SettingEntry(
            "gracePeriod",
            .duration,
            sets: \.gracePeriod,
            means:
                "The time that loads in flight may take to finish when a service group, or a reload, ends the instance."
        ),
        SettingEntry(
            "hookPatience",
            .positiveDuration,
            setsOrRemoves: \.hookPatience,
            means: "The time that a hook, or a wait for constraints, may take before it is reported."
        ),
        SettingEntry(
            "mockDirectory",
            .text(named: "path"),
            setsOrRemoves: \.mockDirectory,
            means: "The folder that is searched first for mock files."
        ),
    ]
}

extension CachePolicy {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry("mode", .mode, sets: \.mode, means: "Which stored responses are used."),
        SettingEntry(
            "partition",
            .text,
            setsOrRemoves: \.partition,
            means: "The name of the user, the account or the tenant that the responses belong to."
        ),
    ]
}

extension Swifty.ContentDecoding {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "isEnabled",
            .boolean,
            sets: \.isEnabled,
            means: "Whether requests accept codings and responses are decoded."
        ),
        SettingEntry(
            "maximumBytes",
            .bytes(),
            sets: \.maximumBytes,
            means: "The maximum size of decoded content in memory."
        ),
        SettingEntry(
            "maximumStreamedBytes",
            .bytes(),
            setsOrRemoves: \.maximumStreamedBytes,
            means: "The maximum size of decoded content that is streamed."
        ),
        SettingEntry(
            "maximumRatio",
            .count(from: 1),
            sets: \.maximumRatio,
            means: "The maximum ratio of the decoded to the coded size."
        ),
    ]
}

extension RequestCompression {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "threshold",
            .bytes(),
            sets: \.threshold,
            means: "The smallest size of request content that is compressed."
        ),
        SettingEntry(
            "level",
            .count(from: 1, to: 9),
            sets: \.level,
            means: "The effort of gzip, from 1 (fast) to 9 (small)."
        ),
        SettingEntry(
            "skippedMediaTypes",
            .mediaTypes,
            sets: \.skippedMediaTypes,
            means: "The media types that are not compressed."
        ),
    ]
}

extension SettingKind<CachePolicy.Mode> {
    fileprivate static var mode: Self { ofCases }
}

extension SettingKind<NetworkRequest.Priority> {
    static var priority: Self { ofCases }
}

extension SettingKind where Value: CaseIterable & Sendable {
    /// One of the cases of an enumeration, by its name.
    static var ofCases: Self {
        let words = Value.allCases.map { "\($0)" }
        let expectation = "one of \(words.listed)"
        return Self(words.map { "`\($0)`" }.listed, expectation: expectation) { text in
            Value.allCases.first { "\($0)" == text }
        } write: {
            "\($0)"
        }
    }
}
#endif
