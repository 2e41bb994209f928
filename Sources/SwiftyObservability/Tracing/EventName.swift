// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability

/// The names of the events of spans.
enum EventName: String, CaseIterable {
    case constraints = "swifty.constraints"
    case queue = "swifty.queue"
    case nameLookup = "swifty.name_lookup"
    case connect = "swifty.connect"
    case tls = "swifty.tls"
    case firstByte = "swifty.first_byte"
    case receive = "swifty.receive"
}
#endif
