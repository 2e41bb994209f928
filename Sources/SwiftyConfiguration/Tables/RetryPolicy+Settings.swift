// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension NetworkRequest.Timeouts {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry("total", .positiveDuration, setsOrRemoves: \.total, means: "The limit of a whole load."),
        SettingEntry(
            "attempt",
            .positiveDuration,
            setsOrRemoves: \.attempt,
            means: "The limit of one attempt of a load that may make several."
        ),
        SettingEntry(
            "connect",
            .positiveDuration,
            setsOrRemoves: \.connect,
            means: "The limit from the start of a transfer to its ready connection."
        ),
        SettingEntry(
            "firstByte",
            .positiveDuration,
            setsOrRemoves: \.firstByte,
            means: "The limit from the ready connection to the first byte of the response."
        ),
        SettingEntry("idle", .positiveDuration, setsOrRemoves: \.idle, means: "The longest time without any traffic."),
    ]
}

extension RetryPolicy {
    static let entries: [SettingEntry<Self>] = conditions + Backoff.entries.below("backoff", at: \.backoff)

    private static let conditions: [SettingEntry<Self>] =
        [
            SettingEntry(
                "maximumAttempts",
                .count(from: 1),
                sets: \.maximumAttempts,
                means: "The maximum number of attempts, the first one included; more than one switches retries on."
            ),
            SettingEntry("statuses", .statuses, sets: \.statuses, means: "The statuses that are tried again."),
            SettingEntry(
                "retriesTransferFailures",
                .boolean,
                sets: \.retriesTransferFailures,
                means: "Whether failed transfers are tried again."
            ),
            SettingEntry("methods", .methods, setsOrRemoves: \.methods, means: "The methods; `none` for all of them."),
            SettingEntry(
                "errorCodes",
                .errorCodes,
                setsOrRemoves: \.errorCodes,
                means: "The codes of failed transfers that are tried again; `none` for those of "
                    + "`retriesTransferFailures`."
            ),
            SettingEntry(
                "maximumRetryAfter",
                .duration,
                sets: \.maximumRetryAfter,
                means: "The longest wait that a server's `Retry-After` can cause."
            ),
            SettingEntry(
                "connectionWait",
                .duration,
                setsOrRemoves: \.connectionWait,
                means: "How long a request is tried again while no server can be reached."
            ),
        ]
}

extension RetryPolicy.Backoff {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry("initial", .duration, sets: \.initial, means: "The bound of the wait before the first retry."),
        SettingEntry(
            "multiplier",
            .number(from: 1),
            sets: \.multiplier,
            means: "The factor by which the bound grows with each retry."
        ),
        SettingEntry("maximum", .duration, sets: \.maximum, means: "The maximum of the bound."),
        SettingEntry("hasJitter", .boolean, sets: \.hasJitter, means: "Whether the wait is random, up to the bound."),
    ]
}

extension RetryPolicy.Budget {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry("share", .number(), sets: \.share, means: "The traffic that retries may add, 0.2 for 20 %."),
        SettingEntry(
            "reserve",
            .number(),
            sets: \.reserve,
            means: "The retries that a host can have from the start, and the maximum that its account saves."
        ),
    ]
}

extension HedgingPolicy {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "delay",
            .positiveDuration,
            sets: \.delay,
            means: "The time after which a further request is sent."
        ),
        SettingEntry(
            "maximumRequests",
            .count(from: 2),
            sets: \.maximumRequests,
            means: "The maximum number of requests in flight for one attempt, the first one included."
        ),
    ]
}

extension RedirectPolicy {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "maximumCount",
            .count(),
            sets: \.maximumCount,
            means: "The maximum number of redirects; with 0 none is followed, and the 3xx is the response."
        ),
        SettingEntry(
            "allowsDowngrade",
            .boolean,
            sets: \.allowsDowngrade,
            means: "Whether `https` may lead to `http`."
        ),
        SettingEntry(
            "resendsContentAcrossOrigins",
            .boolean,
            sets: \.resendsContentAcrossOrigins,
            means: "Whether content may be sent to another scheme, host or port."
        ),
        SettingEntry(
            "sendsReferer",
            .boolean,
            sets: \.sendsReferer,
            means: "Whether the next request has a `Referer`."
        ),
    ]
}
#endif
