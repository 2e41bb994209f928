// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// All that a history of the transport is planned to do. Times are nanoseconds since its beginning.
struct TransportPlan: Plan {
    var settings = SettingsPlan()
    var hosts: [HostPlan]
    var loads: [LoadPlan]
    /// The time at which the transport is shut down or released; `nil` for after everything else.
    var shutdown: Int64?
    /// Whether it is then released, so that it ends with its last load.
    var isReleased = false
    /// The number of streamed responses elsewhere in the process, which leave each of these less room.
    var crowd = 0
    /// The share of the steps of tasks that come late, in per cent, and the most by which they do.
    var lagPercent = 0
    var lag: Int64 = 0
    /// The most bytes that may be received ahead of a reader: its share of the memory, and what one turn receives.
    var mostAheadOfReader: Int { max(16 << 10, min(1 << 20, (3 << 20) / max(1, crowd))) + (80 << 10) }
    /// The share of the turns of a loop, of those that receive something, that are interrupted behind it, in per cent.
    var interruptedPercent = 0
    /// The most by which all of that can delay a load.
    var mostLate: Int64 { lag * 20 + (interruptedPercent == 0 ? 0 : 2_000_000) }
    /// Which of so many sockets the system cannot watch, each time that it is asked to; zero for none.
    var scarcity = 0
    /// How many of the first threads do not start, and how many of the first loops cannot be made.
    var absentThreads = 0
    var absentLoops = 0
    /// Whether the system lacks something that a load may need.
    var isPoor: Bool { scarcity > 0 || absentThreads > 0 || absentLoops > 0 }
}

struct SettingsPlan: Equatable {
    var loops = 1
    var maximumPerHost: Int?
    var version = Version.automatic
    var maximumIdleTime: Int64 = 118_000_000_000
    var maximumAge: Int64?
    var pingInterval: Int64? = 15_000_000_000
    var expectContinueThreshold: Int? = 1 << 20
    var maximumConcurrentStreams = 100
    var maximumIdleConnections = 256
    /// The largest content of a response that is not streamed.
    var contentLimit = 32 << 20

    enum Version: Equatable {
        case automatic
        case http1
        case http2
    }
}

// MARK: Hosts

struct HostPlan: Equatable {
    var isSecure = false
    /// Whether it does nothing by which a request may fail, however slow it is.
    var isHarmless = true
    /// What its connections do, in the order in which they are begun. The last one stands for all further ones.
    var connections: [ConnectionPlan] = [ConnectionPlan()]
}

struct ConnectionPlan: Equatable {
    enum Attempt: Equatable {
        case made
        case refused
        case never
        case closedAfterHandshake
    }

    /// How it ends by itself, some time after it was made.
    enum End: Equatable {
        /// The server ends the connection, once it has no request.
        case closedIdle
        case closed
        case reset
        /// From here on nothing passes, in either direction.
        case frozen
        /// The system sends nothing any more, and says so, while the server still can.
        case unsendable
    }

    enum Speech: Equatable {
        /// A complete response, which is the response to nothing.
        case response
        case junk
    }

    struct Speaking: Equatable {
        var speech = Speech.response
        var after: Int64 = 0
    }

    struct Ending: Equatable {
        var end = End.closed
        var after: Int64 = 0
    }

    var attempt = Attempt.made
    var delay: Int64 = 1_000_000
    /// Over TLS, where the client offers it.
    var speaksHTTP2 = true
    /// The time from one side to the other.
    var latency: Int64 = 100_000
    /// The number of bytes of a request that are on their way at once.
    var room = 64 << 10
    /// The time that the server takes to read what has arrived.
    var readingTime: Int64 = 0
    /// The largest number of bytes that the client gets with one call.
    var piece = 64 << 10
    var ending: Ending?
    /// Bytes that the server sends although it has no request.
    var speaking: Speaking?
    var http2 = HTTP2Plan()
}

/// What an HTTP/2 connection does besides.
struct HTTP2Plan: Equatable {
    struct Limit: Equatable {
        var count = 100
        var after: Int64 = 0
    }

    struct Window: Equatable {
        var size = 65_535
        var after: Int64 = 0
    }

    struct GoAway: Equatable {
        var after: Int64 = 0
        /// The number of the latest requests that are not processed.
        var excluded = 0
        var demandsHTTP1 = false
        /// How long before it the server warns: it goes away, and still processes every request.
        var warning: Int64?
        /// How the connection ends some time later, responded to or not.
        var ending: ConnectionPlan.Ending?
    }

    var settingsDelay: Int64 = 0
    /// The limits of streams, in the order in which they are announced.
    var limits: [Limit] = []
    /// The initial window of a request, and what becomes of it later, in the order in which it is announced.
    var window = 65_535
    var laterWindows: [Window] = []
    /// The time until a window is updated.
    var updateDelay: Int64 = 0
    var goAway: GoAway?
    /// The largest payload of a frame of content, and the number of bytes that each one has besides.
    var frame = 16 << 10
    var padding = 0
    /// The times at which the server asks for a sign.
    var pings: [Int64] = []
}

// MARK: Loads

struct LoadPlan: Equatable {
    enum Method: Equatable {
        case get
        case head
        case post
        /// A POST with an `Idempotency-Key`.
        case keyedPost
        case put
        case delete
    }

    var start: Int64 = 0
    /// The time from the end of the load before it to its start; `nil` to start at its own time.
    var pauseAfterPrevious: Int64?
    /// Whether it waits for an interrupted turn of a loop, to start during it.
    var startsInTurn = false
    var host = 0
    var method = Method.get
    var content = ContentPlan.none
    var reader = ReaderPlan.collected
    var limits = LimitsPlan()
    var cancelled: Int64?
    var requiresNewConnection = false
    /// Where it connects to instead of its host; zero for its host.
    var route = 0
    /// Whether the caller's task runs on the thread of the loop.
    var runsOnLoop = false
    /// What the server does with the request, each time that it comes. After the last one, it responds rightly.
    var answers: [AnswerPlan] = []

    /// How long its source and its reader pause, at most, if it is sent as often as there are answers.
    var pauses: Int64 {
        var time: Int64 = 0
        if case .source(let plan) = content {
            time += plan.pause * Int64((plan.size / plan.part + 2) * (answers.count + 1))
        }
        if case .streamed(let plan) = reader {
            // Among many readers, each has room for a kilobyte.
            let parts = answers.reduce(10) { $0 + $1.size / min($1.piece, 1 << 10) + 2 }
            time += plan.holds + plan.pause * Int64(parts)
        }
        return time
    }
}

struct LimitsPlan: Equatable {
    var total: Int64?
    var connect: Int64?
    var firstByte: Int64?
    var idle: Int64?
}

enum ContentPlan: Equatable {
    case none
    case memory(Int)
    case source(SourcePlan)
}

struct SourcePlan: Equatable {
    var size = 0
    var announcesLength = true
    /// The number of bytes that it has beyond the announced length.
    var surplus = 0
    var part = 1 << 10
    /// The pause before each part.
    var pause: Int64 = 0
    /// Whether a pause goes on when the transfer has ended.
    var isDeaf = false
    var isRewindable = true
    /// Whether there is another source of the same content.
    var isReplayable = true
    /// The number of bytes behind which it fails; `nil` for never.
    var failsAt: Int?
    /// The number of bytes that it has the second time; `nil` for the same.
    var secondSize: Int?
}

enum ReaderPlan: Equatable {
    case collected
    case streamed(StreamPlan)
}

struct StreamPlan: Equatable {
    /// The pause before each part is asked for.
    var pause: Int64 = 0
    /// The number of parts after which it leaves; `nil` to read to the end.
    var leavesAfter: Int?
    /// The time that it holds the content after its last part.
    var holds: Int64 = 0
}

struct AnswerPlan: Equatable {
    /// The moment at which the response begins.
    enum Moment: Equatable {
        case complete
        /// When the head has come, whether or not content follows.
        case head
        case never
    }

    enum Framing: Equatable {
        case length
        case chunked
        case connection
    }

    /// The response to `Expect: 100-continue`.
    enum Consent: Equatable {
        case given
        case silent
        case refused
    }

    enum Cut: Equatable {
        case closed
        case reset
        case silent
    }

    struct Cutting: Equatable {
        /// The number of bytes behind which the response ends, in the share of the whole, in per cent.
        var percent = 50
        var cut = Cut.closed
    }

    /// What makes a response malformed.
    enum Flaw: Equatable {
        case fieldName
        /// Two lengths over HTTP/1.1, and one that the content does not have over HTTP/2.
        case lengths
        /// More informational responses than a client accepts.
        case interims
    }

    enum Refusal: Equatable {
        case refusedStream
        case http11Required
        case internalError
    }

    var moment = Moment.complete
    var delay: Int64 = 0
    var status = 200
    var size = 100
    var framing = Framing.length
    var consent = Consent.given
    var hasInterim = false
    /// The time between it and the response.
    var interimPause: Int64 = 0
    var hasTrailers = false
    /// The size of the pieces in which it is sent, and the pause between them.
    var piece = 64 << 10
    var pause: Int64 = 0
    var cutting: Cutting?
    var flaw: Flaw?
    /// Whether the server's version is HTTP/1.0, over HTTP/1.1.
    var isHTTP10 = false
    static let tooManyInterims = 40
    /// Bytes that follow the response.
    var excess: ConnectionPlan.Speech?
    /// Whether all of them come together with its end. Else, with a pause, half of them do, and the rest comes after
    /// that time.
    var isExcessPrompt = false
    var excessPause: Int64?
    var closes = false
    /// Whether the connection stays open although the response has ended before the request.
    var keepsEarly = false
    /// Whether it has the client stop sending then, over HTTP/2.
    var stopsEarly = false
    /// The seconds that the server promises to keep the connection.
    var keepAlive: Int?
    /// The number of further requests for which it does.
    var keepAliveMaximum: Int?
    /// Over HTTP/2.
    var refusal: Refusal?
}
