// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import Synchronization

/// Moves messages from a JetStream stream into a `FixStore`.
///
/// Messages are acknowledged only after they have been stored, so none is lost while the server or
/// the store is unreachable.
package final class Collector: Sendable {
    /// The options of a collector.
    package struct Settings: Sendable {
        /// The stream's name.
        package var stream = NATSStream().name
        /// The consumer's name. Collectors with the same name share the work.
        package var consumer = "collect"
        /// The subjects to read, with NATS wildcards.
        package var subjects = "gps.>"
        /// The maximum number of messages stored at once.
        var batch = 500
        /// Whether `run` ends as soon as all messages have been collected.
        package var endsWhenEmpty = false
        /// The number of days whose fixes are kept in the store. Fixes of older days are removed.
        /// `nil` keeps all fixes.
        package var daysKept: Int?

        /// Creates the default settings.
        package init() {}
    }

    /// An event that the caller logs.
    package enum Event: Sendable {
        /// The NATS server is connected, for the first time or again.
        case connected
        /// The NATS server is disconnected, with the reason.
        case disconnected(String)
        /// The NATS server refuses an operation. Each reason is reported once per connection.
        case refused(String)
        /// The store is ready, for the first time or again.
        case storeReady
        /// The store is unreachable, with the reason. Messages stay in the stream until the store
        /// is reachable again.
        case storeAway(String)
        /// A message is not a valid batch of fixes, or the store refused it. It is stored
        /// separately from the fixes.
        case rejected(subject: String, reason: String)
        /// The fixes of old days were removed from the store, according to `daysKept`. `days` is
        /// the number of days removed.
        case removed(days: Int)
    }

    /// The number of fixes at which a portion of messages is complete and is stored. A portion may
    /// contain more fixes, because messages are not split.
    private static let portionLimit = 50_000
    /// The maximum number of errors in `errors`. When it is reached, all are forgotten, so they may
    /// be reported again.
    private static let errorLimit = 100

    private let settings: Settings
    private let onEvent: @Sendable (Event) -> Void
    private let isStopped = Atomic<Bool>(false)
    /// Signalled by `stop`, to end a pause.
    private let stopSignal = DispatchSemaphore(value: 0)
    private let isClosing = Atomic<Bool>(false)
    /// Whether skipped messages must be looked for before the next fetch, because the connection
    /// was established or lost, or because fetching failed.
    private let isInterrupted = Atomic<Bool>(false)
    private let state = Mutex(State())

    private struct State {
        /// The reason why the connection was permanently closed; `nil` if it was not.
        var closedReason: String?
        var count = StoredCount()
        /// The errors that were reported since the connection was established.
        var errors: Set<String> = []
    }

    /// Creates a collector. Call `run` to start it.
    package init(_ settings: Settings, onEvent: @escaping @Sendable (Event) -> Void) {
        self.settings = settings
        self.onEvent = onEvent
    }

    /// The number of newly stored fixes, and of fixes that the store already contained.
    package var count: StoredCount { state.withLock { $0.count } }

    /// Ends `run` within a few seconds.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopSignal.signal()
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }

    /// Collects until `stop` is called or, with `endsWhenEmpty`, until all messages have been
    /// collected. Blocks the thread.
    ///
    /// Throws an error if the server or the store fails in a way that a retry cannot resolve.
    package func run(
        from url: EngineURL, _ access: EngineAccess, into store: any FixStore
    ) throws {
        // The store is opened first, because messages that it cannot store must not be fetched.
        guard try retrying({ () throws(StoreError) in try store.open() }) != nil else { return }
        onEvent(.storeReady)
        guard let connection = try connect(to: url, access) else { return }
        defer { isClosing.store(true, ordering: .relaxed) }
        var messages = CollectedMessages(connection, settings)
        var lastProblem: FleetError?
        var lastCleaning: (time: MonotonicInstant, engineDay: Int?)?
        while !isOver {
            if let reason = state.withLock({ $0.closedReason }) {
                throw FleetError("\(url): \(reason)")
            }
            let engineDay = messages.engineDay
            let isEarly = lastCleaning.map { last in
                .now - last.time <= .seconds(3600) && (last.engineDay != nil || engineDay == nil)
            }
            if let days = settings.daysKept, isEarly != true {
                lastCleaning = (.now, engineDay)
                try clean(store, days, engineDay)
            }
            let fetched: [NATSMessage]
            do throws(FleetError) {
                if isInterrupted.exchange(false, ordering: .relaxed) { try messages.look() }
                fetched = try messages.fetch(atMost: settings.batch)
                lastProblem = nil
                if fetched.isEmpty, settings.endsWhenEmpty, messages.waiting() == 0 { return }
            } catch {
                guard !error.isPermanent else { throw error }
                messages.close()
                isInterrupted.store(true, ordering: .relaxed)
                if lastProblem != error, connection.isConnected {
                    onEvent(.disconnected(error.description))
                }
                lastProblem = error
                pause(0.5)
                continue
            }
            if !fetched.isEmpty { try collect(fetched, store) }
        }
    }

    /// Connects to the NATS server, and repeats this until a server answers. Returns `nil` if the
    /// collector is stopped first.
    ///
    /// Throws an error if another attempt cannot succeed, for example with a wrong password.
    private func connect(
        to url: EngineURL, _ access: EngineAccess
    ) throws(FleetError) -> NATSConnection? {
        var (wait, reported) = (0.5, FleetError?.none)
        while !isOver {
            do throws(FleetError) {
                return try NATSConnection(
                    url, access, name: "gpsbridge collect", waitsForServer: false
                ) { [self] in handle($0) }
            } catch {
                guard !error.isPermanent else { throw error }
                if reported != error { onEvent(.disconnected(error.reason)) }
                reported = error
                pause(wait)
                wait = min(wait * 2, 5)
            }
        }
        return nil
    }

    private func handle(_ event: NATSConnection.Event) {
        switch event {
        case .connected:
            isInterrupted.store(true, ordering: .relaxed)
            state.withLock { $0.errors = [] }
            onEvent(.connected)
        case .disconnected(let reason):
            isInterrupted.store(true, ordering: .relaxed)
            if !isClosing.load(ordering: .relaxed) { onEvent(.disconnected(reason)) }
        case .closed(let reason): state.withLock { $0.closedReason = reason }
        case .error(let text): report(error: text)
        }
    }

    /// Reports an error of the NATS server as an event, unless it was already reported since the
    /// connection was established.
    package func report(error text: String) {
        // Each acknowledgement has a different subject, and so a different error.
        let reason =
            text.contains("$JS.ACK.")
            ? "the server refuses acknowledgements, so it delivers every message repeatedly: allow "
                + "this user to publish to $JS.ACK.>"
            : text
        let isNew = state.withLock { state in
            if state.errors.count >= Self.errorLimit { state.errors = [] }
            return state.errors.insert(reason).inserted
        }
        if isNew { onEvent(.refused(reason)) }
    }

    // MARK: Messages

    /// Stores messages in portions that are small enough for memory and for one transaction, and
    /// acknowledges them. `run` calls it with the messages of the stream.
    package func collect(
        _ messages: [any StreamMessage], _ store: any FixStore
    ) throws(StoreError) {
        var portion = Portion()
        for message in messages where !isOver {
            do throws(FixBatch.Malformed) {
                let batch = try FixBatch(decoding: message.bytes)
                // A client that may publish on one subject must not send fixes under another
                // bridge's name.
                guard batch.member.subject == message.subject else {
                    throw FixBatch.Malformed(
                        "it is from \(batch.member), but its subject names another member")
                }
                portion.batches.append(batch)
                portion.rows += batch.rows.count
            } catch {
                portion.rejected.append(RejectedMessage(message, reason: error.description))
            }
            portion.messages.append(message)
            if portion.rows >= Self.portionLimit {
                try save(portion, store)
                portion = Portion()
            }
        }
        if !portion.messages.isEmpty { try save(portion, store) }
    }

    /// Messages that are stored in one transaction.
    private struct Portion {
        var messages: [any StreamMessage] = []
        var batches: [FixBatch] = []
        var rejected: [RejectedMessage] = []
        var rows = 0
    }

    /// Stores a portion. If the store refuses one of its messages, stores them one at a time, so
    /// that the refused one does not block the others.
    private func save(_ portion: Portion, _ store: any FixStore) throws(StoreError) {
        do throws(StoreError) {
            try write(portion, store)
        } catch  where error.kind == .data {
            guard portion.messages.count == 1 else {
                for message in portion.messages where !isOver { try collect([message], store) }
                return
            }
            let rejected = portion.messages.map {
                RejectedMessage($0, reason: error.description)
            }
            try write(Portion(messages: portion.messages, rejected: rejected), store)
        }
    }

    /// Writes a portion in one transaction, acknowledges its messages and reports the rejected
    /// ones. They are reported after the transaction, because it may fail and be repeated.
    private func write(_ portion: Portion, _ store: any FixStore) throws(StoreError) {
        let count = try retrying { () throws(StoreError) in
            try store.store(portion.batches, rejected: portion.rejected)
        }
        // The collector was stopped before the portion was stored, so the server delivers it to
        // another collector.
        guard let count else { return }
        state.withLock {
            $0.count.new += count.new
            $0.count.duplicates += count.duplicates
        }
        for message in portion.messages { message.acknowledge() }
        for message in portion.rejected {
            onEvent(.rejected(subject: message.subject, reason: message.reason))
        }
    }

    private func clean(
        _ store: any FixStore, _ days: Int, _ engineDay: Int?
    ) throws(StoreError) {
        let count = try retrying { () throws(StoreError) in
            try store.dropDays(olderThan: days, engineDay: engineDay)
        }
        if let count, count > 0 { onEvent(.removed(days: count)) }
    }

    // MARK: Retrying

    /// Calls `work` until it succeeds, and returns its result; `nil` if the collector is stopped
    /// first.
    ///
    /// Throws the first error that a retry cannot resolve.
    private func retrying<R>(_ work: () throws(StoreError) -> R) throws(StoreError) -> R? {
        var wait = 0.2
        var isAway = false
        while !isOver {
            do throws(StoreError) {
                let result = try work()
                if isAway { onEvent(.storeReady) }
                return result
            } catch {
                guard error.kind == .passing else { throw error }
                if !isAway { onEvent(.storeAway(error.description)) }
                isAway = true
                pause(wait)
                wait = min(wait * 2, 5)
            }
        }
        return nil
    }

    /// Blocks for a number of seconds, or until the collector is stopped.
    private func pause(_ seconds: Double) {
        // After a stop, each pause ends at once.
        if stopSignal.wait(timeout: .now() + seconds) == .success { stopSignal.signal() }
    }
}

/// Fetches the messages of a JetStream consumer, and also messages that the consumer skips after an
/// interruption of the connection.
///
/// A consumer continues after the last sequence number it delivered. It therefore skips messages if
/// the servers have lost earlier ones, or if the server that takes over has numbered them
/// differently. This type reads the skipped messages with a second consumer.
private struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: Collector.Settings
    private var reader: JetStreamReader?
    /// The time at which the newest fetched message was stored, in nanoseconds of Unix time; `nil`
    /// before the first message.
    private var newest: Int64?
    /// When the newest message was fetched.
    private var newestArrival: MonotonicInstant?
    /// The time at which the newest message fetched before the last interruption of the connection
    /// was stored, in nanoseconds of Unix time; `nil` if there was none.
    private var newestBefore: Int64?
    /// The time of the second search for skipped messages; `nil` if none is due. The second search
    /// is needed because another server may still take over after the first search.
    private var secondCheckTime: MonotonicInstant?
    /// The range of skipped messages; `nil` if there are none or all have been read.
    private var gap: JetStreamReader.Gap?
    private var gapReader: JetStreamReader?

    /// Creates an instance. The first call of a method that needs the consumer finds or creates it.
    init(_ connection: NATSConnection, _ settings: Collector.Settings) {
        self.connection = connection
        self.settings = settings
    }

    private mutating func consumer() throws(FleetError) -> JetStreamReader {
        if let reader { return reader }
        let new = try JetStreamReader(connection, settings)
        reader = new
        return new
    }

    /// Finds the messages that the consumer may skip after an interruption of the connection.
    /// Schedules a second search for ten seconds later, because another server may still take over.
    mutating func look() throws(FleetError) {
        newestBefore = newest
        try findGap()
        secondCheckTime = .now + .seconds(10)
    }

    private mutating func findGap() throws(FleetError) {
        let new = try consumer().gap(after: newestBefore)
        // The new gap also covers an earlier gap that has not been read completely.
        if let start = new?.start ?? gap?.start,
            let end = [new?.end, gap?.end].compactMap({ $0 }).max()
        {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
    }

    /// Returns up to `count` messages, skipped ones first. Waits about a second if there are none.
    mutating func fetch(atMost count: Int) throws(FleetError) -> [NATSMessage] {
        if let secondCheckTime, secondCheckTime <= .now {
            try findGap()
            self.secondCheckTime = nil
        }
        if let gap {
            let present: JetStreamReader
            if let gapReader {
                present = gapReader
            } else {
                present = try JetStreamReader(connection, settings, gap: gap)
                gapReader = present
            }
            let messages = try present.fetch(atMost: count, wait: .milliseconds(200))
            note(messages)
            if messages.contains(where: { $0.sequence >= gap.end }) {
                self.gap = nil
                gapReader = nil
            }
            if !messages.isEmpty { return messages }
        }
        let messages = try consumer().fetch(atMost: count, wait: .seconds(1))
        note(messages)
        return messages
    }

    private mutating func note(_ messages: [NATSMessage]) {
        for message in messages where message.time > newest ?? 0 {
            newest = message.time
            newestArrival = .now
        }
    }

    /// The current day by the NATS server's clock, as days since 1970; `nil` before the first
    /// message. It is too early if the newest message was fetched long after the server had stored
    /// it.
    var engineDay: Int? {
        guard let newest, let newestArrival else { return nil }
        let seconds = (MonotonicInstant.now - newestArrival).components.seconds
        return Int((newest / 1_000_000_000 + seconds) / 86_400)
    }

    /// Returns the number of messages that have not been delivered yet, plus those that have been
    /// delivered but not acknowledged; `nil` if the number is unknown.
    func waiting() -> Int? {
        guard let reader, let count = reader.waiting() else { return nil }
        guard let gapReader else { return count }
        return gapReader.waiting().map { $0 + count }
    }

    /// Releases the consumer on the NATS server. The next call of `fetch(atMost:)` finds it again.
    mutating func close() {
        reader = nil
        gapReader = nil
    }
}
