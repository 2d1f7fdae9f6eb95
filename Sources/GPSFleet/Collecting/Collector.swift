// SPDX-License-Identifier: MIT
import GNSS
import Glibc
import Synchronization

/// Brings messages from a stream into a store: acknowledges them when they are stored, and lets neither of the
/// two being away lose any.
package final class Collector: Sendable {
    /// The messages to collect, and where and how to store them.
    package struct Settings: Sendable {
        /// The stream's name.
        package var stream = NATSStream().name
        /// The consumer's name: collectors that give the same one share the work.
        package var consumer = "collect"
        /// The subjects to read, with NATS wildcards.
        package var subjects = "gps.>"
        /// How many messages are stored at once at the most.
        package var batch = 500
        /// Whether it ends when nothing waits any more.
        package var endsWhenEmpty = false
        /// Days are removed when they are older than that many; `nil` keeps them.
        package var daysKept: Int?

        /// Creates settings that are right for most.
        package init() {}
    }

    /// An event that the caller logs.
    package enum Event: Sendable {
        /// The engine is there, for the first time or again.
        case connected
        /// The engine is away.
        case disconnected(String)
        /// The store is ready, for the first time or again.
        case storeReady
        /// The store is unreachable; messages wait in the engine.
        case storeAway(String)
        /// A message is not a batch of fixes; it is stored in a table of its own.
        case rejected(subject: String, reason: String)
        /// Days were removed.
        case removed(days: Int)
    }

    /// How many fixes are stored at once, but for the rest of a message.
    private static let mostRows = 50_000

    private let settings: Settings
    private let onEvent: @Sendable (Event) -> Void
    private let isStopped = Atomic<Bool>(false)
    private let isClosing = Atomic<Bool>(false)
    /// Whether the engine was away since messages were fetched.
    private let isInterrupted = Atomic<Bool>(false)
    private let counts = Mutex(StoredCount())

    /// Creates a collector; `run` does the work.
    package init(_ settings: Settings, onEvent: @escaping @Sendable (Event) -> Void) {
        self.settings = settings
        self.onEvent = onEvent
    }

    /// How many fixes were stored, and how many had been before.
    package var count: StoredCount { counts.withLock { $0 } }

    /// Ends `run` within some seconds.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }

    /// Collects until it is stopped; blocks.
    ///
    /// Throws where that can never succeed: an engine or a store that refuses who connects.
    package func run(
        from url: EngineURL, _ access: EngineAccess, into store: any FixStore
    ) throws {
        // The store first: what it cannot take must not be fetched.
        guard try patiently({ () throws(StoreError) in try store.open() }) != nil else { return }
        onEvent(.storeReady)
        let closed = ClosedReason()
        let connection = try NATSConnection(url, access, name: "gpsbridge collect") {
            [self] event in
            switch event {
            case .connected:
                isInterrupted.store(true, ordering: .relaxed)
                onEvent(.connected)
            case .disconnected(let reason):
                isInterrupted.store(true, ordering: .relaxed)
                if !isClosing.load(ordering: .relaxed) { onEvent(.disconnected(reason)) }
            case .closed(let reason): closed.reason.withLock { $0 = reason }
            case .error: break
            }
        }
        defer { isClosing.store(true, ordering: .relaxed) }
        var messages = CollectedMessages(connection, readerSettings)
        var lastProblem: FleetError?
        var lastCleaning: MonotonicInstant?
        while !isOver {
            if let reason = closed.reason.withLock({ $0 }) { throw FleetError("\(url): \(reason)") }
            if let days = settings.daysKept,
                lastCleaning.map({ .now - $0 > .seconds(3600) }) ?? true
            {
                lastCleaning = .now
                try clean(store, days)
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
                pause(.milliseconds(500))
                continue
            }
            if !fetched.isEmpty { try collect(fetched, store) }
        }
    }

    private var readerSettings: JetStreamReader.Settings {
        .init(
            stream: settings.stream, consumer: settings.consumer, subjects: settings.subjects)
    }

    // MARK: Messages

    /// Stores messages, as many at a time as memory and one transaction are good for.
    private func collect(_ messages: [NATSMessage], _ store: any FixStore) throws(StoreError) {
        var portion = Portion()
        for message in messages where !isOver {
            do throws(FixBatch.Malformed) {
                let batch = try FixBatch(decoding: message.bytes)
                // Who may publish on a subject may not speak for another bridge.
                guard batch.member.subject == message.subject else {
                    throw FixBatch.Malformed(
                        "it is of \(batch.member), and its subject is another's")
                }
                portion.batches.append(batch)
                portion.rows += batch.rows.count
            } catch {
                portion.rejected.append(reject(message, error.description))
            }
            portion.messages.append(message)
            if portion.rows >= Self.mostRows {
                try save(portion, store)
                portion = Portion()
            }
        }
        if !portion.messages.isEmpty { try save(portion, store) }
    }

    /// Messages that are stored together.
    private struct Portion {
        var messages: [NATSMessage] = []
        var batches: [FixBatch] = []
        var rejected: [RejectedMessage] = []
        var rows = 0
    }

    private func save(_ portion: Portion, _ store: any FixStore) throws(StoreError) {
        let count: StoredCount?
        do throws(StoreError) {
            count = try patiently { () throws(StoreError) in
                try store.store(portion.batches, rejected: portion.rejected)
            }
        } catch  where error.kind == .data {
            return try saveOneByOne(portion.messages, store, error)
        }
        // Stopped before it could be stored: another collector gets it.
        guard let count else { return }
        add(count)
        for message in portion.messages { message.acknowledge() }
    }

    /// One of several messages has what the store cannot take: it must not hold up the others.
    private func saveOneByOne(
        _ messages: [NATSMessage], _ store: any FixStore, _ error: StoreError
    ) throws(StoreError) {
        guard messages.count == 1 else {
            for message in messages where !isOver { try collect([message], store) }
            return
        }
        let rejected = messages.map { reject($0, error.description) }
        let count = try patiently { () throws(StoreError) in
            try store.store([], rejected: rejected)
        }
        if count != nil { for message in messages { message.acknowledge() } }
    }

    private func reject(_ message: NATSMessage, _ reason: String) -> RejectedMessage {
        onEvent(.rejected(subject: message.subject, reason: reason))
        return RejectedMessage(
            stream: message.stream, sequence: message.sequence, subject: message.subject,
            reason: reason, bytes: message.bytes)
    }

    private func add(_ count: StoredCount) {
        counts.withLock {
            $0.new += count.new
            $0.duplicates += count.duplicates
        }
    }

    private func clean(_ store: any FixStore, _ days: Int) throws(StoreError) {
        let count = try patiently { () throws(StoreError) in try store.dropDays(olderThan: days) }
        if let count, count > 0 { onEvent(.removed(days: count)) }
    }

    // MARK: Patience

    /// Tries until it succeeds; `nil` if it is stopped first.
    ///
    /// Throws what does not pass by waiting.
    private func patiently<R>(_ work: () throws(StoreError) -> R) throws(StoreError) -> R? {
        var wait = Duration.milliseconds(200)
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
                wait = min(wait * 2, .seconds(5))
            }
        }
        return nil
    }

    /// Blocks for some time, or until it is stopped.
    private func pause(_ duration: Duration) {
        let end = MonotonicInstant.now + duration
        while MonotonicInstant.now < end, !isOver { usleep(20_000) }
    }
}

/// Why a connection is closed for good.
private final class ClosedReason: Sendable {
    let reason = Mutex<String?>(nil)
}
