// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

/// What the page gets about the loads that have changed.
struct InspectorChanges: Encodable {
    /// A load as a row of the list.
    struct Load: Encodable {
        let number: Int
        let instance: Int
        let name: String?
        let template: String?
        let tags: [String]
        let method: String
        let url: String
        let start: Date
        let status: Int?
        let errorCode: String?
        let source: String?
        let duration: Double?
        let bytes: Int?
        let type: String?
        let attempts: Int
        let isEnded: Bool
    }

    let revision: Int
    /// The number of the earliest load that is kept.
    let first: Int
    let dropped: Int
    let isPaused: Bool
    let loads: [Load]
}

extension InspectorChanges.Load {
    init(_ load: InspectedLoad) {
        let outcome = load.outcome
        self.init(
            number: load.number,
            instance: load.instance,
            name: load.name,
            template: load.template,
            tags: load.tags,
            method: load.method,
            url: load.url,
            start: load.start,
            status: outcome?.status,
            errorCode: outcome?.errorCode,
            source: outcome?.source,
            duration: outcome?.duration,
            bytes: outcome?.response?.contentBytes,
            type: outcome?.response?.type,
            attempts: outcome?.attempts.count ?? 0,
            isEnded: outcome != nil
        )
    }
}
