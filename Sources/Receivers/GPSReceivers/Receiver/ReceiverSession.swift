// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
package import GPSIO
import GPSIntegrity
import Glibc
package import NMEA
import Synchronization

/// Opens one receiver, reads it with a `ReceiverDriver`, waits for it while it is disconnected, and
/// sends updates to its observers. It runs while it has observers.
///
/// Everything runs on the polling thread, in one task and the callback of its reads. Thus, there is
/// no thread switch between a byte and its fix. No lock is held during calls to observers.
/// Observers must not rely on task-local values. If the receiver is lost, the session waits for it.
/// A recording is not read again after its end.
package final class ReceiverSession: Sendable {
    /// Sends the sentences with a correct checksum, as received, without line ends. Sending costs
    /// no time without observers.
    package let sentences = Event<[UInt8]>()
    /// Sends each sentence that was generated from the receiver's UBX messages, before `sentences`
    /// sends it, too. It requests no sentences by itself.
    package let generated = Event<[UInt8]>()
    /// Sends encapsulation sentences (`!…`), such as AIS, with a correct checksum, without line
    /// ends. Sending costs no time without observers.
    package let encapsulated = Event<[UInt8]>()
    /// Sends the bytes as received, each chunk before the updates decoded from it.
    package let bytes = Event<[UInt8]>()
    /// Sends `nil` if the next bytes may begin in the middle of a cycle and, when it is known after
    /// how many of them the first whole cycle begins, that number.
    package let beginnings = Event<Int?>()
    /// Sends a value when all bytes read so far have been decoded, and their updates and sentences
    /// have been sent.
    package let processed = Event<Void>()
    /// Sends rejected bytes, which are not a valid sentence, with the reason.
    package let rejections = Event<Rejection>()
    /// Sends the receiver's statistics after each epoch, for sessions that pass them on.
    let statistics = Event<Statistics>()
    /// The source of the bytes.
    package let source: any DeviceSource
    /// The anchor watch and the route; `nil` if the session has neither.
    package let navigation: NavigationWatch?

    /// Ensures that only one dialogue at a time uses the receiver.
    let turn = DialogueTurn()

    private let state = Mutex(State())
    weak let pool: ReceiverPool?
    /// The executor and the clock of the session.
    package let poller: Poller
    /// Returns the system's date; `nil` if it is not known.
    let date: @Sendable () -> UTCTime?

    private struct State {
        var observers = SessionObservers()
        /// The current run. Its result is the receiver's integrity; `nil` for a vote.
        var run: Task<IntegrityMonitor?, Never>?
        /// The previous run, which may still be closing the tty.
        var previousRun: Task<IntegrityMonitor?, Never>?
        /// The vote that the current run conducts; `nil` if the source is not a vote.
        weak var vote: VoteDriver?
        /// The receiver's condition, which is also sent to observers that join later.
        var condition = ReceiverCondition.searching
        /// The open serial line, for writing. It may belong to another session, which shares it.
        var line: ControllableLine?
        var knownBaudRate: BaudRate?
        var replay: ReplayGroup.Member?
        weak var correctionSender: (any CorrectionSender)?

        /// Marks the current run as ended and returns its task. Cancel the task without holding the
        /// lock, because cancellation runs handlers of the source, which may be user code.
        mutating func stop() -> Task<IntegrityMonitor?, Never>? {
            if !condition.hasEnded { condition = .searching }
            defer { run = nil }
            previousRun = run ?? previousRun
            return run
        }
    }

    init(
        _ source: some DeviceSource, pool: ReceiverPool? = nil,
        navigation: Navigator.Settings? = nil, poller: Poller = .shared,
        date: @escaping @Sendable () -> UTCTime? = { SystemClock.now }
    ) {
        self.source = source
        self.poller = poller
        self.date = date
        self.pool = pool
        self.navigation = navigation.map { NavigationWatch($0, of: source) }
    }

    /// Whether the source has ended. A session that has ended never starts again.
    package var hasEnded: Bool { state.withLock { $0.condition.hasEnded } }

    /// Whether this session can serve an observer of `other`, which has the same identity. A
    /// session without observers opens the receiver with its own source's name and baud rate. In
    /// this case, both must be equal to those of `other`.
    func canRead(_ other: some DeviceSource) -> Bool {
        let (isInUse, hasEnded) = state.withLock { (!$0.observers.isEmpty, $0.condition.hasEnded) }
        return !hasEnded
            && (isInUse || source.name == other.name && source.baudRate == other.baudRate)
    }

    /// The tty that this session itself has open, not one that it shares; `nil` if it has none.
    var tty: SourceIdentity? { line.flatMap { $0.session === self ? $0.tty : nil } }

    /// The session whose tty this session shares; `nil` if it shares none.
    var holder: ReceiverSession? { line.flatMap { $0.session === self ? nil : $0.session } }

    /// The open serial line, which may be shared from another session; `nil` if no line is open.
    package var line: ControllableLine? { state.withLock { $0.line } }

    /// The baud rate at which messages are received; `nil` during the search or if the line has no
    /// baud rate.
    package var knownBaudRate: BaudRate? { state.withLock { $0.knownBaudRate } }

    /// The recording's place in the `ReplayGroup` of a `ConsensusSource`; `nil` if it has none.
    var replay: ReplayGroup.Member? {
        get { state.withLock { $0.replay } }
        set { state.withLock { $0.replay = newValue } }
    }

    /// The sender of corrections to the receiver; `nil` if none are sent.
    package var correctionSender: (any CorrectionSender)? {
        get { state.withLock { $0.correctionSender } }
        set { state.withLock { $0.correctionSender = newValue } }
    }

    // MARK: Joining

    /// Calls `observer` on the polling thread, first with the receiver's current condition (if
    /// known), then with every update. It must not block. The receiver is opened for the first
    /// observer, and closed after the last one has left, when its subscription is released.
    ///
    /// If the session has ended before the observer is added, calls `renew` instead. A recording
    /// also waits for the consumers of `vote`, the session of a vote in which it takes part.
    package func join(
        as member: SessionMember? = nil, for vote: ReceiverSession? = nil,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void,
        renew: (@Sendable () -> ScopedSubscription)? = nil
    ) -> ScopedSubscription {
        let id = state.withLock { $0.observers.add(member, vote: vote, observer) }
        // On the polling thread, no other update can be sent before the current condition.
        Task(executorPreference: poller) { self.open(id, renew) }
        return Subscription { self.leave(id) }.scoped
    }

    private func open(_ id: Int, _ renew: (@Sendable () -> ScopedSubscription)?) {
        guard state.withLock({ $0.observers[id] }) != nil else { return }
        if hasEnded, let renew {
            // If the observer has left in the meantime, this ends without holding the lock.
            let subscription = renew()
            return withExtendedLifetime(subscription) {
                state.withLock { $0.observers.set(.renewed(subscription), of: id) }
            }
        }
        start()
        state.withLock { $0.observers.set(.open, of: id) }
        for update in state.withLock({ $0.condition }).history {
            state.withLock { $0.observers[id] }?.observer(update)
        }
    }

    private func leave(_ id: Int) {
        let (left, run) = state.withLock { state in
            let left = state.observers.remove(id)
            return (left, state.observers.isEmpty ? state.stop() : nil)
        }
        run?.cancel()
        // `waitForConsumers()` may be waiting for this member.
        left?.member?.flow.wake()
    }

    /// Starts a run, unless there is one. `keepsIntegrity` states whether it continues the integrity
    /// of the previous run.
    private func start(keepsIntegrity: Bool = false) {
        state.withLock { state in
            // A source that has ended is not started again for later observers.
            guard state.run == nil, !state.condition.hasEnded, !state.observers.isEmpty else {
                return
            }
            state.condition = .searching
            state.run = Task(executorPreference: poller) {
                [previousRun = state.previousRun] () async -> IntegrityMonitor? in
                let last: IntegrityMonitor? = await previousRun?.value
                let kept = keepsIntegrity ? last : nil
                guard !Task.isCancelled else { return kept }
                return await self.follow(keeping: kept)
            }
        }
    }

    /// Closes the receiver and opens it again, or each receiver of a vote. Integrity alarms continue.
    /// Does nothing for a source that cannot be reopened, such as a recording.
    package func reopen() {
        Task(executorPreference: poller) {
            let vote: VoteDriver? = self.state.withLock { $0.vote }
            if let vote { vote.reopen() } else { self.reopenNow() }
        }
    }

    /// Like `reopen()`, for a source that is not a vote. Call it on the polling thread.
    func reopenNow() {
        let former = state.withLock { $0.condition }
        guard source.availability() != nil, !former.hasEnded,
            let run = state.withLock({ $0.stop() })
        else { return }
        run.cancel()
        let closed = DeviceError(.cancelled, device: source.name)
        send(.condition(.lost(closed), after: former))
        start(keepsIntegrity: true)
    }

    // MARK: Sending

    private var observers: [SessionObservers.Entry] { state.withLock { $0.observers.entries } }
    private var members: [SessionMember] { observers.compactMap(\.member) }

    /// Sends an update to all observers and stores the condition for later ones.
    func send(_ update: ReceiverUpdate) {
        if let navigation,
            let change = navigation.receive(update, at: poller.now, date: date())
        {
            pool?.alarmChanges.send(change)
        }
        if case .condition(let new, _) = update { state.withLock { $0.condition = new } }
        var last = 0
        while let next = state.withLock({ $0.observers.next(after: last) }) {
            next.observer(update)
            last = next.id
        }
    }

    /// Whether `sentences` of the session or of one of its `SessionMember`s has observers.
    var wantsSentences: Bool {
        sentences.hasObservers || members.contains { $0.sentences.hasObservers }
    }

    func send(sentence: [UInt8]) {
        sentences.send(sentence)
        for member in members { member.sentences.send(sentence) }
    }

    func send(rejection: Rejection) {
        rejections.send(rejection)
        for member in members { member.rejections.send(rejection) }
    }

    /// Sends the statistics by `statistics` of the session and of each `SessionMember`, if an
    /// event has observers.
    func send(statistics: @autoclosure () -> Statistics) {
        let members = members.filter { $0.statistics.hasObservers }
        guard self.statistics.hasObservers || !members.isEmpty else { return }
        let counts = statistics()
        self.statistics.send(counts)
        for member in members { member.statistics.send(counts) }
    }

    /// A member whose buffers have too little free space; `nil` if there is none.
    var fullMember: SessionMember? {
        // A lazy `compactMap` would read the property twice, and consumers change it at any time.
        for observer in observers {
            if let member = observer.fullMember { return member }
        }
        return nil
    }

    /// Waits until the buffers of all consumers have enough free space. For streams that are not
    /// being read, waits at most the `unreadLimit` of the `SessionMember`.
    func waitForConsumers() async {
        while !Task.isCancelled, let member = fullMember {
            let timer = Task(executorPreference: poller) { [poller] in
                let end = poller.now + member.unreadLimit
                if await poller.sleep(until: end) == .timedOut { member.flow.ignoreUnread() }
            }
            await member.flow.waitUntilClear()
            timer.cancel()
        }
    }

    /// Stores the baud rate at which messages are received.
    func set(knownBaudRate: BaudRate?) {
        state.withLock { $0.knownBaudRate = knownBaudRate }
    }

    // MARK: The life of a receiver

    /// Reads the receiver until it ends or the task is cancelled. Continues the integrity `kept`, if
    /// any, and returns it as it is then.
    private func follow(keeping kept: IntegrityMonitor?) async -> IntegrityMonitor? {
        let start = navigation.map { watch in
            Task(executorPreference: poller) {
                let change = await watch.missedStart(self.poller, date: self.date)
                if let change { self.pool?.alarmChanges.send(change) }
            }
        }
        defer { start?.cancel() }
        if let source = source as? ConsensusSource {
            await followVote(of: source)
            return nil
        }
        let driver = ReceiverDriver(self, integrity: kept)
        await follow(by: driver)
        return driver.integrity
    }

    /// Reads the sessions of all receivers of a vote, and sends the results of the vote.
    private func followVote(of source: ConsensusSource) async {
        let pool = pool ?? ReceiverPool(poller: poller, date: date)
        let vote = VoteDriver(source, self, pool: pool)
        state.withLock { $0.vote = vote }
        await vote.run()
    }

    /// Opens the source and reads it, or shares the session that has it open. Returns the error on
    /// opening or reading (`nil` at the end of the source), and whether messages were received
    /// (`nil` if the source could not be opened, or reading was cancelled).
    func read(
        by driver: ReceiverDriver
    ) async -> (failure: DeviceError?, hasMessages: Bool?) {
        let connection: any DeviceConnection
        do throws(DeviceError) {
            connection = try await source.openToListen()
        } catch {
            guard let loss = await share(error) else { return (error, nil) }
            return (loss, true)
        }
        defer {
            state.withLock { ($0.line, $0.knownBaudRate) = (nil, nil) }
            connection.close()
        }
        if let line = connection.serialLine {
            let own = ControllableLine(line, self, driver)
            state.withLock { $0.line = own }
        }
        do throws(DeviceError) {
            try await driver.read(connection)
            return (nil, driver.hasMessages)
        } catch {
            return (error, error.code == .cancelled ? nil : driver.hasMessages)
        }
    }

    /// If `error` is `.busy` because another session has the tty open, forwards that session's
    /// updates until it loses the tty. Returns the error that it reported, or `nil` if no session
    /// has the tty open.
    private func share(_ error: DeviceError) async -> DeviceError? {
        guard error.code == .busy else { return nil }
        let tty = SourceIdentity(path: error.device)
        guard let line = pool?.session(holding: tty, besides: self)?.line else { return nil }
        let holder = line.session
        state.withLock { $0.line = line }
        defer { state.withLock { $0.line = nil } }
        let loss = Promise<DeviceError>()
        let subscriptions = [
            holder.generated.observe { [generated] in generated.send($0) }.scoped,
            holder.sentences.observe { [weak self] in self?.send(sentence: $0) }.scoped,
            holder.encapsulated.observe { [encapsulated] in encapsulated.send($0) }.scoped,
            holder.rejections.observe { [weak self] in self?.send(rejection: $0) }.scoped,
            holder.statistics.observe { [weak self] in self?.send(statistics: $0) }.scoped,
            holder.bytes.observe { [bytes] in bytes.send($0) }.scoped,
            holder.beginnings.observe { [beginnings] in beginnings.send($0) }.scoped,
            holder.processed.observe { [processed] in processed.send(()) }.scoped,
            holder.join { [weak self, name = source.name] update in
                switch update {
                case .condition(.lost(let error), _), .condition(.waiting(let error), _):
                    loss.fulfill(error)
                case .condition(.ended(let ending), _):
                    loss.fulfill(ending.error ?? DeviceError(.ended, device: name))
                default: self?.send(update)
                }
            },
        ]
        defer { withExtendedLifetime(subscriptions) {} }
        do {
            return try await loss.value
        } catch {
            return DeviceError(.cancelled, device: source.name)
        }
    }
}

extension ReceiverSession {
    /// Reads the receiver with a driver until it ends or the task is cancelled. If it is lost, waits
    /// for it and opens it again.
    private func follow(by driver: ReceiverDriver) async {
        let availability = source.availability()
        var backoff = ReopenBackoff()
        // A busy device is tried a second time, because another session of this process may just be
        // opening or closing it.
        var hasTriedAgain = false
        var graceEnd = poller.now
        // The links to a pseudo terminal that was lost. See `linksToPseudoTerminal`.
        var staleLinks: [Node.Link] = []
        while !Task.isCancelled {
            let links = source.linksToPseudoTerminal
            let (failure, hasMessages) =
                links.isEmpty || links != staleLinks
                ? await read(by: driver) : (DeviceError(.notFound, device: source.name), nil)
            // A simulation may end while its receiver is unplugged.
            let isOver = failure?.code == .ended && hasMessages == nil
            guard let failure, !isOver else { return driver.receive(.ended(nil)) }
            // If only the session whose tty is shared is being reopened, the tty is shared again.
            let isReopened = failure.code == .cancelled && hasMessages != nil && !Task.isCancelled
            guard isReopened || failure.code != .cancelled else { return }
            if hasMessages != nil, !isReopened { staleLinks = links }
            // A source that cannot return, such as a file on a failing disk, is not opened again.
            guard availability != nil else { return driver.receive(.ended(failure)) }
            // A pseudo terminal is not opened again: the kernel may have given its number to
            // another program, for example to a new terminal window.
            if source.isPseudoTerminal, !isReopened,
                hasMessages != nil || failure.code == .notFound
            {
                return driver.receive(.ended(failure))
            }
            if let hasMessages {
                // A server that refuses a client may send it a text, and then disconnect it.
                if hasMessages { backoff = ReopenBackoff() }
                driver.receive(.lost(failure))
            } else if failure.isTransient,
                poller.now < graceEnd || failure.code == .busy && !hasTriedAgain
            {
                hasTriedAgain = true
                _ = await poller.sleep(until: poller.now + .milliseconds(50))
                continue
            } else {
                driver.receive(.unavailable(failure))
            }
            hasTriedAgain = false
            let deadline = backoff.next(after: failure, at: poller.now)
            await availability?.next(until: deadline)
            // A node may appear before its permissions are set. Until `graceEnd`, errors are not
            // reported.
            if deadline == nil { graceEnd = poller.now + .seconds(2) }
        }
    }
}

extension DeviceError {
    /// Whether the error may disappear within moments, for example just after the device was
    /// plugged in.
    fileprivate var isTransient: Bool {
        [.permissionDenied, .busy, .ioFailed, .configurationFailed].contains(code)
    }
}

/// Schedules repeated attempts to open a device, at growing intervals of at most 30 seconds.
private struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// Returns the time of the next attempt; `nil` if the device is absent and an event will report
    /// when it appears.
    mutating func next(
        after error: DeviceError, at now: MonotonicInstant
    ) -> MonotonicInstant? {
        if error.isAbsence { return nil }
        defer { delay = min(delay * 2, .seconds(30)) }
        return now + delay
    }
}

extension DeviceError {
    /// Whether the error means that the device is not connected or, for a source that reads any
    /// receiver, that no receiver is connected.
    var isMissing: Bool { code == .notFound || code == .noReceiver }

    /// Whether the device is absent and an event will report when it appears.
    var isAbsence: Bool {
        switch code {
        // In a container, the device node remains when its device is unplugged, so its return is
        // not announced.
        case .notFound: errno != ENXIO && errno != ENODEV
        case .noReceiver: true
        default: false
        }
    }
}

/// A consumer that joins a `ReceiverSession`. It contains events for sentences, rejections and
/// statistics, and the flow control of these events.
package final class SessionMember: Sendable {
    /// The flow control of the events. A source that can wait is paused while the buffer of one of
    /// the consumer's streams is at least half full.
    package let flow: FlowControl
    /// Sends the sentences with a correct checksum, as received, without line ends. Sending costs
    /// no time without observers.
    package let sentences: Event<[UInt8]>
    /// Sends rejected bytes, which are not a valid sentence, with the reason.
    package let rejections: Event<Rejection>
    /// Sends the receiver's statistics after each epoch.
    package let statistics: Event<Statistics>

    /// The maximum time that a source waits for streams that are not being read.
    let unreadLimit: Duration

    /// Creates a member without observers.
    package init(unreadLimit: Duration = .seconds(10)) {
        self.unreadLimit = unreadLimit
        flow = FlowControl()
        sentences = Event(flow: flow)
        rejections = Event(flow: flow)
        statistics = Event(flow: flow)
    }

    /// Completes all events.
    package func complete() {
        sentences.complete()
        rejections.complete()
        statistics.complete()
    }
}

/// The observers of a session, in the order in which they joined. It is a part of the session's
/// state and calls no observer: the session gets one after the other from it, and calls each one
/// without holding a lock.
private struct SessionObservers: Sendable {
    typealias Observer = @Sendable (ReceiverUpdate) -> Void

    /// One observer's subscription.
    struct Entry: Sendable {
        enum Status {
            /// The observer has not yet received the receiver's current condition, so it gets no
            /// updates.
            case pending
            case open
            /// The session had ended, so the observer has joined a new session with this
            /// subscription.
            case renewed(ScopedSubscription)
        }

        /// The position in the order of joining, from 1.
        let id: Int
        let member: SessionMember?
        /// The session of the vote that this observer serves; `nil` if it serves none.
        let vote: ReceiverSession?
        let observer: Observer
        var status = Status.pending

        /// Whether the observer gets updates.
        var isOpen: Bool { if case .open = status { true } else { false } }

        /// The member for which the source must wait: that of this observer, or one that reads the
        /// results of its vote; `nil` if there is none.
        var fullMember: SessionMember? {
            if let member, !member.flow.isClear { return member }
            return vote?.fullMember
        }
    }

    /// The observers that have not left.
    private(set) var entries: [Entry] = []
    private var joinCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an observer, which gets no updates yet. Returns its id.
    mutating func add(
        _ member: SessionMember?, vote: ReceiverSession?, _ observer: @escaping Observer
    ) -> Int {
        joinCount += 1
        entries.append(Entry(id: joinCount, member: member, vote: vote, observer: observer))
        return joinCount
    }

    /// Removes an observer and returns it; `nil` if it has left. Release it without holding a lock:
    /// that may run user code, and ends the subscription to a new session.
    mutating func remove(_ id: Int) -> Entry? {
        index(of: id).map { entries.remove(at: $0) }
    }

    /// Changes the status of an observer. Does nothing if it has left.
    mutating func set(_ status: Entry.Status, of id: Int) {
        if let index = index(of: id) { entries[index].status = status }
    }

    /// Returns an observer; `nil` if it has left.
    subscript(id: Int) -> Entry? { index(of: id).map { entries[$0] } }

    /// Returns the first observer after `id` that gets updates; `nil` if there is none.
    func next(after id: Int) -> (id: Int, observer: Observer)? {
        entries.first { $0.id > id && $0.isOpen }.map { ($0.id, $0.observer) }
    }

    private func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }
}
