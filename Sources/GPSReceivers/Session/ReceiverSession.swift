// SPDX-License-Identifier: MIT
package import Delegation
package import GPSIO
package import NMEA
import Synchronization

/// Opens one receiver, reads it by a `ReceiverPipeline`, waits for it when it is gone, and sends updates to
/// all who have joined. It runs while somebody has.
///
/// All of it happens on the polling thread, in one task and the handler of its reads: no hops between a byte and
/// its fix, and no lock is held while calling out. A handler has no task: observers see no task-local values.
/// A receiver that goes away is waited for; a recording that ends is over.
package final class ReceiverSession: Sendable {
    /// The sentences with a right checksum, as sent, without line ends; costs only with observers.
    package let sentences = Event<[UInt8]>()
    /// The bytes as they came, each chunk before what is decoded from it.
    package let bytes = Event<[UInt8]>()
    /// Sent when what has been read is decoded, and updates and sentences are sent.
    package let processed = Event<Void>()
    /// What came that is no sentence, and why.
    package let rejections = Event<Rejection>()
    /// Where the bytes come from.
    package let source: any DeviceSource

    /// Sent on the polling thread only; the session runs while this has observers.
    private let updates: Event<ReceiverUpdate>
    private let state = Mutex(State())
    private let starter: Starter
    private weak let pool: ReceiverPool?
    /// What the session runs on, and by whose clock.
    package let poller: Poller
    /// The system's clock.
    let date: @Sendable () -> UTCTime?

    private struct State {
        var run: Task<Void, Never>?
        /// How the receiver is: the last update that told so.
        var condition: ReceiverUpdate?
        /// A problem that lasts; later observers get it, too.
        var problem: ReceiverUpdate?
        /// The tty that this session has open.
        var tty: SourceIdentity?
        /// The same, to be written to.
        var line: (any ControllableLine)?
        /// Whether it has been reported that another program reads it, too.
        var isSharingReported = false
        var members: [SessionMember] = []
    }

    /// Lets the interest in updates start and stop a session that is not made yet.
    private final class Starter: Sendable {
        private let session = Mutex<WeakSession>(WeakSession())
        struct WeakSession { weak var value: ReceiverSession? }

        func set(_ new: ReceiverSession) { session.withLock { $0.value = new } }

        func change(_ isWanted: Bool) {
            let session = self.session.withLock { $0.value }
            if isWanted { session?.start() } else { session?.stop() }
        }
    }

    init(
        _ source: some DeviceSource, pool: ReceiverPool? = nil, poller: Poller = .shared,
        date: @escaping @Sendable () -> UTCTime? = { SystemClock.now }
    ) {
        self.source = source
        self.poller = poller
        self.date = date
        self.pool = pool
        let starter = Starter()
        self.starter = starter
        updates = Event(onInterestChange: { starter.change($0) })
        starter.set(self)
    }

    /// Whether the source has come to its end; a session that has stays so.
    package var hasEnded: Bool {
        state.withLock { if case .ended = $0.condition { true } else { false } }
    }

    /// Calls `observer` on the polling thread: with the receiver's condition, if that is known, and then
    /// with every update. The first to join has the receiver opened, the last to leave closed.
    ///
    /// `renew` is called in place of all that if the session has ended by then.
    package func join(
        as member: SessionMember? = nil,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void,
        renew: (@Sendable () -> ScopedSubscription)? = nil
    ) -> ScopedSubscription {
        let place = Mutex<Place>(.awaited)
        // On the polling thread nothing happens between being told and listening.
        Task(executorPreference: poller) {
            let isWanted = place.withLock { place in
                if case .left = place { false } else { true }
            }
            guard isWanted else { return }
            let subscription: Subscription
            let isRenewed = self.hasEnded && renew != nil
            if isRenewed, let renewed = renew?() {
                subscription = Subscription { renewed.dispose() }
            } else {
                subscription = self.enter(member, observer)
            }
            let hasLeft = place.withLock { place in
                if case .left = place { return true }
                place = .taken(subscription)
                return false
            }
            guard !hasLeft else { return subscription.dispose() }
            guard !isRenewed else { return }
            let known = self.state.withLock { [$0.condition, $0.problem] }
            for update in known.compactMap(\.self) { observer(update) }
        }
        return Subscription {
            let subscription = place.withLock { place -> Subscription? in
                defer { place = .left }
                if case .taken(let subscription) = place { return subscription }
                return nil
            }
            subscription?.dispose()
        }.scoped
    }

    private func enter(
        _ member: SessionMember?, _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) -> Subscription {
        if let member { state.withLock { $0.members.append(member) } }
        let subscription = updates.observe(observer)
        return Subscription { [weak self] in
            subscription.dispose()
            guard let self, let member else { return }
            state.withLock { state in
                let index = state.members.firstIndex { $0 === member }
                if let index { state.members.remove(at: index) }
            }
            // The session may be waiting for it.
            member.flow.wake()
        }
    }

    private enum Place: Sendable {
        case awaited
        case taken(Subscription)
        case left
    }

    /// Whether this session is the one that has a tty open.
    func holds(_ tty: SourceIdentity) -> Bool {
        state.withLock { $0.tty == tty }
    }

    /// The serial line that is open; `nil` where there is none, or another session has it open.
    package var line: (any ControllableLine)? { state.withLock { $0.line } }

    // MARK: Members

    private var members: [SessionMember] { state.withLock { $0.members } }

    /// Whether sentences are observed.
    var wantsSentences: Bool {
        sentences.hasObservers || members.contains { $0.sentences.hasObservers }
    }

    /// Sends a sentence to the session's observers and to its members.
    func send(sentence: [UInt8]) {
        sentences.send(sentence)
        for member in members { member.sentences.send(sentence) }
    }

    /// Sends a rejection to the session's observers and to its members.
    func send(rejection: Rejection) {
        rejections.send(rejection)
        for member in members { member.rejections.send(rejection) }
    }

    /// Sends the counts to the members that observe them.
    func send(statistics: @autoclosure () -> Statistics) {
        let members = members.filter { $0.statistics.hasObservers }
        guard !members.isEmpty else { return }
        let statistics = statistics()
        for member in members { member.statistics.send(statistics) }
    }

    /// Waits for the members' consumers, as a source may that can: at most a member's `unreadLimit` for
    /// streams without a loop that reads them.
    func waitForConsumers() async {
        while !Task.isCancelled, let member = members.first(where: { !$0.flow.isClear }) {
            let timer = Task(executorPreference: poller) { [poller] in
                let end = poller.now + member.unreadLimit
                if await poller.sleep(until: end) == .timedOut { member.flow.ignoreUnread() }
            }
            await member.flow.waitUntilClear()
            timer.cancel()
        }
    }

    /// Sends an update to all who have joined, and keeps what those need who join later.
    func tell(_ update: ReceiverUpdate) {
        if update.isCondition {
            state.withLock { ($0.condition, $0.problem) = (update, nil) }
        } else if update.lasts {
            state.withLock { $0.problem = update }
        }
        updates.send(update)
    }

    /// Forgets a problem that is over.
    func clearProblem() {
        state.withLock { $0.problem = nil }
    }

    private func start() {
        state.withLock { state in
            // What has ended is over, also for those who come later.
            if case .ended = state.condition { return }
            // The one before may still be closing the tty.
            let previous = state.run
            state.run = Task(executorPreference: poller) {
                await previous?.value
                guard !Task.isCancelled else { return }
                self.state.withLock { ($0.condition, $0.problem) = (nil, nil) }
                await self.follow()
            }
        }
    }

    private func stop() {
        let run = state.withLock { state in
            state.problem = nil
            if case .ended = state.condition {} else { state.condition = nil }
            return state.run
        }
        // Without the lock: cancelling runs the handlers of the source, which may be a user's own.
        run?.cancel()
    }

    /// Closes the receiver and opens it again. What never comes back, such as a recording, is not touched.
    package func reopen() {
        guard source.availability() != nil else { return }
        Task(executorPreference: poller) {
            guard self.updates.hasObservers, !self.hasEnded else { return }
            self.stop()
            self.updates.send(.lost(DeviceError(.cancelled, device: self.source.name)))
            self.start()
            // The last observer may have left between these calls.
            if !self.updates.hasObservers { self.stop() }
        }
    }

    // MARK: The life of a receiver

    private func follow() async {
        let pipeline = ReceiverPipeline(source: source, session: self)
        let availability = source.availability()
        var backoff = ReopenBackoff()
        // Another session of ours may not quite have opened or closed it yet.
        var hasTriedAgain = false
        var graceEnd = poller.now
        while !Task.isCancelled {
            do throws(DeviceError) {
                let connection = try await source.open { NMEAMessageDetector() }
                defer { close(connection) }
                let tty = connection.isSerialLine ? SourceIdentity(path: connection.name) : nil
                state.withLock { state in
                    (state.tty, state.isSharingReported) = (tty, false)
                    state.line = connection as? any ControllableLine
                }
                pipeline.opened(connection)
                do throws(DeviceError) {
                    try await pipeline.read(connection)
                    return pipeline.ended(nil)
                } catch {
                    guard error.code != .cancelled else { return }
                    // What never comes back, such as a file on a disk that fails, is not tried again.
                    guard availability != nil else { return pipeline.ended(error) }
                    if pipeline.hasRead { backoff = ReopenBackoff() }
                    pipeline.lost(error)
                }
            } catch {
                guard error.code != .cancelled else { return }
                guard availability != nil else { return pipeline.ended(error) }
                if let loss = await share(error, pipeline) {
                    guard loss.code != .cancelled else { return }
                    pipeline.lost(loss)
                } else if error.mayPass,
                    poller.now < graceEnd || error.code == .busy && !hasTriedAgain
                {
                    hasTriedAgain = true
                    _ = await poller.sleep(until: poller.now + .milliseconds(50))
                    continue
                } else {
                    pipeline.unavailable(error)
                }
            }
            hasTriedAgain = false
            let deadline = backoff.next(after: pipeline.unavailability, at: poller.now)
            await availability?.next(until: deadline)
            // Where it has been waited for, the node may be there before whoever gives access to it.
            if deadline == nil { graceEnd = poller.now + .seconds(2) }
        }
    }

    /// Looks, elsewhere than on the polling thread, whether another program reads the tty that is open, too,
    /// and reports that once.
    func lookForOtherReader(of path: String) {
        let tty = SourceIdentity(path: path)
        guard state.withLock({ $0.tty == tty && !$0.isSharingReported }) else { return }
        Task(executorPreference: BackgroundExecutor.shared) { [poller, weak self] in
            guard let reader = TTYTreatment.otherReader(of: path) else { return }
            await Task(executorPreference: poller) { [weak self] in
                let isNews = self?.state.withLock { state in
                    guard state.tty == tty, !state.isSharingReported else { return false }
                    state.isSharingReported = true
                    return true
                }
                guard isNews == true else { return }
                self?.tell(.troubled(DeviceError(.shared, device: path, detail: reader)))
            }.value
        }
    }

    private func close(_ connection: any DeviceConnection) {
        state.withLock { ($0.tty, $0.line) = (nil, nil) }
        connection.close()
    }

    /// Where a session of another name has the tty open: tells what that one tells, until it has lost
    /// it. Nil where that is not so.
    private func share(
        _ error: DeviceError, _ pipeline: ReceiverPipeline
    ) async -> DeviceError? {
        guard error.code == .busy,
            let holder = pool?.session(holding: SourceIdentity(path: error.device), besides: self)
        else { return nil }
        pipeline.shared()
        let loss = Promise<DeviceError>()
        let sentences = holder.sentences.observe { [weak self] in self?.send(sentence: $0) }.scoped
        let rejections = holder.rejections.observe { [weak self] in self?.send(rejection: $0) }
            .scoped
        let bytes = holder.bytes.observe { [bytes] in bytes.send($0) }.scoped
        let processed = holder.processed.observe { [processed] in processed.send(()) }.scoped
        let updates = holder.join { [weak self] update in
            switch update {
            case .lost(let error), .unavailable(let error): loss.fulfill(error)
            case .ended(_, let error): loss.fulfill(error ?? DeviceError(.ended, device: ""))
            case .epoch:
                self?.clearProblem()
                self?.tell(update)
            default: self?.tell(update)
            }
        }
        defer { withExtendedLifetime((bytes, sentences, rejections, processed, updates)) {} }
        do {
            return try await loss.value
        } catch {
            return DeviceError(.cancelled, device: source.name)
        }
    }
}

extension DeviceError {
    /// Whether it may be over in a moment, as just after plugging in.
    fileprivate var mayPass: Bool {
        [.permissionDenied, .busy, .ioFailed, .configurationFailed].contains(code)
    }
}
