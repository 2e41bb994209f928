// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SimulationCore

/// The scenarios of the pipeline.
public enum PipelineScenarios {
    /// All of them.
    public static var all: [any Scenario.Type] {
        [
            PipelineScenario.self, AdmissionScenario.self, CachingScenario.self, TokenScenario.self,
            ChallengeScenario.self,
        ]
    }
}

/// Loads of every kind, through one `Swifty`, over a transport whose servers do what is planned.
enum PipelineScenario: Scenario {
    typealias History = PipelinePlan
    typealias Event = PipelineEvent
    typealias State = LoadEnding

    static let name = "pipeline"

    static func plan(_ random: inout SimulationRandom) -> PipelinePlan {
        PipelinePlan(&random)
    }

    static func play(_ plan: PipelinePlan, in world: World) {
        let runs = played(plan, world)
        let left = runs.filter { $0.run != nil }.map { "load \($0.number)" }
        world.expect(left.isEmpty, "no task is left behind in the end", left.joined(separator: ", "))
    }

    /// Plays a history, and returns its loads, to which then only a task that has not ended refers.
    private static func played(_ plan: PipelinePlan, _ world: World) -> [ReleasedRun] {
        let history = PipelineHistory(plan, world)
        history.play()
        return history.runs.values.sorted { $0.number < $1.number }.map { ReleasedRun(run: $0, number: $0.number) }
    }
}

/// A load after its history.
private struct ReleasedRun {
    weak var run: LoadRun?
    let number: Int
}

/// What can happen in a history.
enum PipelineEvent: Int, EventName {
    case loadBegins, loadWaits, loadQueued, attemptBegins, retryScheduled, redirected, loadFinished, loadDelivered
    case loadCancelled, tagCancelled, allCancelled
    case requestArrives, headArrives, partArrives, transferEnds, transferFails, transferTimesOut, transferCancelled
    case constraintAsked, flightBegins, flightSucceeds, flightFails, flightOverdue, credentialDropped
    case hookBegins, hookEnds, attemptAskedFor, hedgeArrives
    case partRead, streamClosed, eventRead, fileWritten
    case paused, resumed, priorityChanged, qualityChanged, shutdownBegins, shutdownEnds, released
}

extension PipelineEvent {
    var isStimulus: Bool {
        switch self {
        case .loadBegins, .loadCancelled, .tagCancelled, .allCancelled, .headArrives, .partArrives, .transferEnds,
            .transferFails, .transferTimesOut, .flightSucceeds, .flightFails, .flightOverdue, .hookEnds, .partRead,
            .streamClosed, .eventRead, .paused, .resumed, .priorityChanged, .qualityChanged,
            .shutdownBegins, .released:
            true
        default: false
        }
    }

    /// What is done to a `Swifty` is not done to one that was released.
    func canFollow(_ previous: PipelineEvent) -> Bool {
        let acts: [PipelineEvent] = [
            .tagCancelled, .allCancelled, .paused, .priorityChanged, .qualityChanged, .shutdownBegins, .released,
        ]
        return previous != .released || !acts.contains(self)
    }
}

extension World {
    /// Notes an event of a history.
    func note(_ event: PipelineEvent, of subject: Int = 0, _ value: Int = 0, is text: @autoclosure () -> String) {
        note(event, subject, value, text())
    }
}

/// How loads end.
enum LoadEnding: Int, EventName {
    case succeeded, cancelled, shutDown, timedOutInTotal, timedOutInAttempt, timedOutIdle, timedOutQueued
    case timedOutAtFirst, constraintFailed, constraintTimedOut, circuitOpen, unacceptableStatus, connectionFailed
    case connectionLost, redirectFailed, interceptorFailed, contentFailed, fileFailed, malformedPart, mocked
    case timedOutAtDeadline, tooLarge
}
