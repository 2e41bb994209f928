// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Decides which loads may be sent: event in, decisions out.
///
/// Time is passed in as the duration since the queue was made. Every event that may release a waiting load ends with
/// ``dispatch(_:now:)``, so that no load waits that could be sent. ``decisions`` collects the ends of waits until it is
/// emptied.
struct AdmissionState {
    struct Waiter {
        let origin: String
        let load: ObjectIdentifier
        /// Whether the wait is limited by the policy, and not by the time left for the load.
        let hasQueueTimeout: Bool
    }

    /// A load that requests admission.
    struct Arrival {
        let load: ObjectIdentifier
        let origin: String
        let priority: NetworkRequest.Priority
        /// The time that is left for the whole load.
        let timeLimit: Duration?
    }

    /// The end of a wait.
    struct Decision {
        let number: Int
        let result: Result<Admission, SwiftyError>
    }

    let policy: AdmissionPolicy
    var decisions: [Decision] = []
    /// The origins whose circuit breakers have changed, until the list is emptied.
    var changedCircuits: [String] = []
    var quality = QualityTracker()
    var hosts: [String: HostState] = [:]
    /// The origins of the waiting loads, in the order in which the loads of each began to wait.
    var waitingOrigins: [String] = []
    var waiters: [Int: Waiter] = [:]
    var running: Set<Int> = []
    var deadlines = DeadlineHeap()
    private(set) var isPaused = false
    /// The numbers of the waiting loads of each cancellation, which several loads may share.
    private var numbers: [ObjectIdentifier: Set<Int>] = [:]
    private var lastNumber = 0
    private var nextSweep: Duration = .zero

    init(policy: AdmissionPolicy) {
        self.policy = policy
    }

    /// Whether every load may be sent uncounted.
    var isIdle: Bool { !policy.hasLimits && !isPaused && hosts.isEmpty && waiters.isEmpty }

    /// Admits a load if it may be sent now and no other load waits for its host.
    ///
    /// - Returns: `nil` if the load has to wait.
    /// - Throws: ``SwiftyError/Code/circuitOpen``.
    mutating func admitImmediately(_ arrival: Arrival, now: Duration) throws(SwiftyError) -> Admission? {
        sweep(now: now)
        if isPaused { return nil }
        let hold = hosts[arrival.origin, default: HostState(policy)].hold(policy, now: now)
        if hold == .refused { throw circuitOpenError(arrival.origin, now: now) }
        let isFirst = hosts[arrival.origin]?.waiting.isEmpty ?? true
        let isUrgent = arrival.priority >= minimumPriority(now: now)
        guard hold == .free, isFirst, isUrgent, hasRoom(now: now) else { return nil }
        return take(arrival.origin, now: now)
    }

    /// Makes a load wait. Its wait may end immediately.
    ///
    /// - Returns: The number of the load in its decision.
    mutating func enqueue(_ arrival: Arrival, now: Duration) -> Int {
        lastNumber += 1
        let number = lastNumber
        let limits = [policy.queueTimeout, arrival.timeLimit].compactMap(\.self)
        if let limit = limits.min() { deadlines.insert(now + limit, .load(number)) }
        let hasQueueTimeout = policy.queueTimeout != nil && limits.min() == policy.queueTimeout
        waiters[number] = Waiter(origin: arrival.origin, load: arrival.load, hasQueueTimeout: hasQueueTimeout)
        numbers[arrival.load, default: []].insert(number)
        if hosts[arrival.origin]?.waiting.isEmpty ?? true { waitingOrigins.append(arrival.origin) }
        hosts[arrival.origin, default: HostState(policy)].waiting.append(number, arrival.priority, since: now)
        dispatch(arrival.origin, now: now)
        return number
    }

    /// Removes a waiting load that was cancelled or whose time is up.
    ///
    /// - Returns: Whether the load was waiting.
    mutating func leave(_ number: Int, now: Duration) -> Bool {
        guard let waiter = forget(number) else { return false }
        hosts[waiter.origin]?.waiting.remove(number)
        forgetOriginIfEmpty(waiter.origin)
        removeIfIdle(waiter.origin, now: now)
        return true
    }

    /// Releases an admission and learns from its outcome. A second call for a counted admission has no effect.
    mutating func release(_ admission: Admission, _ feedback: AdmissionFeedback, now: Duration) {
        let origin = admission.origin
        if admission.number != 0, running.remove(admission.number) == nil { return }
        if let sample = feedback.sample { quality.add(sample, origin: origin, now: now) }
        if admission.number != 0 || feedback.pause != nil || feedback.rateLimit != nil {
            let generation = hosts[origin]?.breaker?.generation ?? 0
            defer { noteCircuit(of: origin, since: generation) }
            if admission.number != 0 { hosts[origin]?.release() }
            hosts[origin, default: HostState(policy)].learn(feedback, admission: admission, policy: policy, now: now)
        }
        dispatch(origin, now: now)
    }

    /// Changes the priority of the loads of a cancellation that are waiting.
    mutating func setPriority(_ priority: NetworkRequest.Priority, of load: ObjectIdentifier, now: Duration) {
        var origins: Set<String> = []
        // In the order of their arrival, which they keep within the new priority.
        for number in numbers[load]?.sorted() ?? [] {
            guard let origin = waiters[number]?.origin else { continue }
            hosts[origin]?.waiting.move(number, to: priority)
            origins.insert(origin)
        }
        for origin in origins.sorted() { dispatch(origin, now: now) }
    }

    mutating func setPaused(_ isPaused: Bool, now: Duration) {
        self.isPaused = isPaused
        dispatchAll(now: now)
    }

    mutating func overrideQuality(_ quality: AdmissionPolicy.NetworkQuality?, now: Duration) {
        self.quality.override = quality
        dispatchAll(now: now)
    }

    /// Removes a waiting load, except from its host's line.
    mutating func forget(_ number: Int) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: number) else { return nil }
        numbers[waiter.load]?.remove(number)
        if numbers[waiter.load]?.isEmpty ?? false { numbers[waiter.load] = nil }
        return waiter
    }

    /// Removes an origin from those of the waiting loads, after its last one has left.
    mutating func forgetOriginIfEmpty(_ origin: String) {
        guard hosts[origin]?.waiting.isEmpty ?? true else { return }
        if let index = waitingOrigins.firstIndex(of: origin) { waitingOrigins.remove(at: index) }
    }

    /// Admits and counts a load.
    mutating func take(_ origin: String, now: Duration) -> Admission {
        lastNumber += 1
        let before = hosts[origin]?.breaker?.generation ?? 0
        let (generation, count) = hosts[origin, default: HostState(policy)].take(now: now)
        noteCircuit(of: origin, since: before)
        running.insert(lastNumber)
        return Admission(number: lastNumber, origin: origin, time: now, generation: generation, count: count)
    }

    /// The state of the circuit breaker of an origin.
    func circuit(of origin: String, now: Duration) -> AdmissionPolicy.CircuitBreaker.State {
        hosts[origin]?.breaker?.state(now: now) ?? .closed
    }

    /// Records that the circuit breaker of an origin has moved, which its generation tells.
    private mutating func noteCircuit(of origin: String, since generation: Int) {
        if hosts[origin]?.breaker?.generation ?? 0 != generation { changedCircuits.append(origin) }
    }

    /// Removes the state of a host if a new one would decide the same.
    mutating func removeIfIdle(_ origin: String, now: Duration) {
        if hosts[origin]?.isForgettable(policy, now: now) == true { hosts[origin] = nil }
    }

    /// Removes idle hosts, every 10 s at most.
    private mutating func sweep(now: Duration) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        for origin in Array(hosts.keys) { removeIfIdle(origin, now: now) }
    }
}
