// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// What can happen in a history of the transport.
enum TransportEvent: Int, EventName {
    // The machine
    case threadStarted, threadEnded, threadAbsent, loopAbsent, loopWoken, turnInterrupted
    // Connections
    case connecting, connected, connectFailed, connectAbandoned
    case clientSent, clientReceived, clientClosed
    case serverSent, serverClosed, serverReset, serverSpoke, lineFroze, sendingFails
    // Requests and responses
    case requestBegan, requestComplete, requestRefused, requestReset
    case consentGiven, expectationRefused, interimSent, responseBegan, responseEnded, responseCut
    // HTTP/2
    case settingsSent, windowUpdated, pingSent, pingAnswered, goAwaySent
    // Callers
    case loadStarted, loadSucceeded, loadFailed, loadCancelled, prewarmed, headCame, partRead, readerLeft
    case sourceAsked, sourceEnded, sourceFailed, sourceRewound, sourceReplayed, sourceCancelled
    case shutdownBegan, shutdownEnded, transportReleased
    case socketUnwatched, limitReached
    case reportedConnection, reportedSent, reportedHead, reportedProgress, reportedTrailers
}

extension TransportEvent {
    // Not the absence of a thread or of a loop, which comes before everything else.
    var isStimulus: Bool {
        switch self {
        case .connected, .connectFailed, .serverClosed, .serverReset, .serverSpoke, .lineFroze, .sendingFails,
            .requestRefused, .consentGiven, .expectationRefused, .interimSent, .responseBegan, .responseEnded,
            .responseCut, .settingsSent, .windowUpdated, .pingSent, .pingAnswered, .goAwaySent, .loadStarted,
            .loadCancelled, .partRead, .readerLeft, .sourceEnded, .sourceFailed, .limitReached, .shutdownBegan,
            .transportReleased, .socketUnwatched:
            true
        default: false
        }
    }

    /// The end of a transport is one event of the two, and no load begins on one that was released.
    func canFollow(_ previous: TransportEvent) -> Bool {
        switch previous {
        case .transportReleased: ![.loadStarted, .shutdownBegan, .transportReleased].contains(self)
        case .shutdownBegan: self != .shutdownBegan
        default: true
        }
    }
}

/// The outcomes of loads, which are the ends of the machines that carry them, and the states of connections that a loop
/// leaves when it sleeps.
enum TransportState: Int, EventName {
    case succeededOverHTTP1, succeededOverHTTP2, reused, repeated
    case failedNotSent, failedMaybeSent, failedResponded
    case cancelled, shutDown, timedOutTotal, timedOutConnect, timedOutFirstByte, timedOutIdle
    case connectionLost, connectionFailed, malformedResponse, contentUnreadable, tooManyOpenFiles, transportFailed
    case responseTooLarge, versionUnavailable
    case queued, awaitingConnection, connecting, keptIdle, sharedIdle, sharedInUse, sharedFull, heldByServer
    case stageQueue, stageNameLookup, stageConnect, stageTLS, stageSend, stageFirstByte, stageHead, stageContent
}

extension World {
    /// Notes an event of the transport.
    func note(_ event: TransportEvent, _ subject: Int, _ value: Int, _ text: @autoclosure () -> String) {
        record(event, subject, value, text)
    }
}
