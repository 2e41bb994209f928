// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Which loads may be sent now: event in, decisions out.
///
/// Time is passed in, as the duration since the queue was made. Every event ends with ``dispatch(_:now:)``, so that
/// nothing waits while it could be sent. What was decided about loads that waited is left in ``decisions``.
struct AdmissionState {
    /// What the state knows of a load that waits.
    struct Waiter {
        let origin: String
        let load: ObjectIdentifier
        /// Whether the time that it may wait is that of the policy, and not what is left of its own.
        let hasQueueTimeout: Bool
    }

    /// A load that asks for a place.
    struct Arrival {
        let load: ObjectIdentifier
        let origin: String
        let priority: NetworkRequest.Priority
        /// How long the whole load may still take.
        let timeLimit: Duration?
    }

    /// The end of a wait.
    struct Decision {
        let number: Int
        let result: Result<Admission, SwiftyError>
    }

    let policy: AdmissionPolicy
    var decisions: [Decision] = []
    var quality = QualityBook()
    var hosts: [String: HostState] = [:]
    /// The origins of loads that wait.
    var waitingOrigins: Set<String> = []
    var waiters: [Int: Waiter] = [:]
    var running: Set<Int> = []
    var alarms = Alarms()
    private(set) var isPaused = false
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var lastNumber = 0
    private var nextSweep: Duration = .zero

    init(policy: AdmissionPolicy) {
        self.policy = policy
    }

    /// Whether any load may be sent without being counted.
    var isIdle: Bool { !policy.hasLimits && !isPaused && hosts.isEmpty && waiters.isEmpty }

    /// Admits a load if there is a place for it and nobody waits for that.
    ///
    /// - Returns: `nil` if it has to wait.
    mutating func admitAtOnce(_ arrival: Arrival, now: Duration) throws(SwiftyError) -> Admission? {
        sweep(now: now)
        if isPaused { return nil }
        let hold = hosts[arrival.origin, default: HostState(policy)].hold(policy, now: now)
        if hold == .refused { throw circuitOpen(arrival.origin, now: now) }
        let isFirst = hosts[arrival.origin]?.waiting.isEmpty ?? true
        let isUrgent = arrival.priority >= minimumPriority(now: now)
        guard hold == .free, isFirst, isUrgent, hasRoom(now: now) else { return nil }
        return take(arrival.origin, now: now)
    }

    /// Makes a load wait; it may be decided at once.
    ///
    /// - Returns: its number, with which the decision comes.
    mutating func wait(_ arrival: Arrival, now: Duration) -> Int {
        lastNumber += 1
        let number = lastNumber
        let limits = [policy.queueTimeout, arrival.timeLimit].compactMap(\.self)
        if let limit = limits.min() { alarms.insert(now + limit, .load(number)) }
        let hasQueueTimeout = policy.queueTimeout != nil && limits.min() == policy.queueTimeout
        waiters[number] = Waiter(origin: arrival.origin, load: arrival.load, hasQueueTimeout: hasQueueTimeout)
        numbers[arrival.load] = number
        hosts[arrival.origin, default: HostState(policy)].waiting.append(number, arrival.priority, since: now)
        waitingOrigins.insert(arrival.origin)
        dispatch(arrival.origin, now: now)
        return number
    }

    /// Forgets a load that waits, because it was cancelled.
    ///
    /// - Returns: whether it did wait.
    mutating func leave(_ number: Int, now: Duration) -> Bool {
        guard let waiter = forget(number) else { return false }
        hosts[waiter.origin]?.waiting.remove(number)
        tidy(waiter.origin, now: now)
        return true
    }

    /// Takes a place back. A second call for the same admission has no effect.
    mutating func release(_ admission: Admission, _ feedback: AdmissionFeedback, now: Duration) {
        let origin = admission.origin
        if admission.number != 0, running.remove(admission.number) == nil { return }
        if let sample = feedback.sample { quality.add(sample, origin: origin, now: now) }
        if admission.number != 0 || feedback.pause != nil || feedback.rateLimit != nil {
            if admission.number != 0 { hosts[origin]?.giveBack() }
            hosts[origin, default: HostState(policy)].learn(feedback, admission, policy, now: now)
        }
        dispatch(origin, now: now)
    }

    /// Changes the priority of a load, if it waits.
    mutating func setPriority(_ priority: NetworkRequest.Priority, of load: ObjectIdentifier, now: Duration) {
        guard let number = numbers[load], let origin = waiters[number]?.origin else { return }
        hosts[origin]?.waiting.move(number, to: priority)
        dispatch(origin, now: now)
    }

    mutating func setPaused(_ isPaused: Bool, now: Duration) {
        self.isPaused = isPaused
        dispatchAll(now: now)
    }

    mutating func overrideQuality(_ quality: AdmissionPolicy.NetworkQuality?, now: Duration) {
        self.quality.override = quality
        dispatchAll(now: now)
    }

    /// Forgets that a load waits, but not the place in its host's line.
    mutating func forget(_ number: Int) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: number) else { return nil }
        if numbers[waiter.load] == number { numbers[waiter.load] = nil }
        return waiter
    }

    /// Gives a place to a load.
    mutating func take(_ origin: String, now: Duration) -> Admission {
        lastNumber += 1
        let era = hosts[origin, default: HostState(policy)].take(now: now)
        running.insert(lastNumber)
        return Admission(number: lastNumber, origin: origin, time: now, era: era)
    }

    /// Drops what is known of a host if that makes no difference.
    mutating func tidy(_ origin: String, now: Duration) {
        guard hosts[origin] != nil else { return }
        if hosts[origin]?.waiting.isEmpty == true { waitingOrigins.remove(origin) }
        if hosts[origin]?.isForgettable(policy, now: now) == true { hosts[origin] = nil }
    }

    /// Once in a while, drops hosts that nobody asks for any more.
    private mutating func sweep(now: Duration) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        for origin in Array(hosts.keys) { tidy(origin, now: now) }
    }
}
